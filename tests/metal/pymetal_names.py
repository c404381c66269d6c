# SPDX-License-Identifier: MIT
"""PyMetal's names: what a program written for it may call, with which arguments, in which order.

A line of a class is a method with its parameters, ``static`` in front where it belongs to the class; a property that is
only read, ``.name``; or one that is set, too, ``.name =``. Where PyMetal's module, its stub and its pages differ, each
form has a line.
"""

MODULES = {
    "types": "Origin Size Range ClearColor",
    "compute": "ComputePipelineState ComputeCommandEncoder",
    "graphics": """
        Texture TextureDescriptor RenderPipelineState RenderPipelineDescriptor RenderPipelineColorAttachmentDescriptor
        RenderCommandEncoder RenderPassDescriptor RenderPassAttachmentDescriptor RenderPassColorAttachmentDescriptor
        RenderPassDepthAttachmentDescriptor SamplerState SamplerDescriptor DepthStencilState DepthStencilDescriptor
        StencilDescriptor VertexDescriptor VertexAttributeDescriptor VertexBufferLayoutDescriptor MetalLayer
        MetalDrawable
    """,
    "advanced": """
        BlitCommandEncoder Heap HeapDescriptor Fence Event SharedEvent ArgumentEncoder ArgumentDescriptor
        IndirectCommandBuffer IndirectCommandBufferDescriptor BinaryArchive BinaryArchiveDescriptor CaptureScope
        CaptureManager shared_capture_manager
    """,
    "shader": "ShaderPreprocessor ShaderTemplate compute_shader_hash create_compute_kernel COMMON_SNIPPETS",
}

EXCEPTIONS = "MetalError CompileError PipelineError ResourceError ValidationError"

CONSTANTS = """
    ResourceCPUCacheModeDefaultCache=0 ResourceCPUCacheModeWriteCombined=1 ResourceStorageModeShared=0
    ResourceStorageModeManaged=16 ResourceStorageModePrivate=32 ResourceStorageModeMemoryless=48
    ResourceHazardTrackingModeUntracked=256 ColorWriteMaskNone=0 ColorWriteMaskRed=8 ColorWriteMaskGreen=4
    ColorWriteMaskBlue=2 ColorWriteMaskAlpha=1 ColorWriteMaskAll=15 IndirectCommandTypeDraw=1
    IndirectCommandTypeDrawIndexed=2 IndirectCommandTypeDrawPatches=4 IndirectCommandTypeDrawIndexedPatches=8
"""

ENUMS = {
    "StorageMode": "Shared=0 Managed=1 Private=2 Memoryless=3",
    "CPUCacheMode": "DefaultCache=0 WriteCombined=1",
    "LoadAction": "DontCare=0 Load=1 Clear=2",
    "StoreAction": """
        DontCare=0 Store=1 MultisampleResolve=2 StoreAndMultisampleResolve=3 Unknown=4 CustomSampleDepthStore=5
    """,
    "CommandBufferStatus": "NotEnqueued=0 Enqueued=1 Committed=2 Scheduled=3 Completed=4 Error=5",
    "FunctionType": "Vertex=1 Fragment=2 Kernel=3",
    "PixelFormat": """
        Invalid=0 RGBA8Unorm=70 RGBA8Unorm_sRGB=71 BGRA8Unorm=80 BGRA8Unorm_sRGB=81 Depth32Float=252 Stencil8=253
        Depth24Unorm_Stencil8=255 Depth32Float_Stencil8=260 R32Float=55 RG32Float=105 RGBA32Float=125 R16Float=25
        RG16Float=65 RGBA16Float=115
    """,
    "PrimitiveType": "Point=0 Line=1 LineStrip=2 Triangle=3 TriangleStrip=4",
    "IndexType": "UInt16=0 UInt32=1",
    "VertexFormat": """
        Invalid=0 Float=28 Float2=29 Float3=30 Float4=31 Int=32 Int2=33 Int3=34 Int4=35 UInt=36 UInt2=37 UInt3=38
        UInt4=39
    """,
    "VertexStepFunction": "Constant=0 PerVertex=1 PerInstance=2 PerPatch=3 PerPatchControlPoint=4",
    "CullMode": "None_=0 None=0 Front=1 Back=2",
    "Winding": "Clockwise=0 CounterClockwise=1",
    "TextureType": "Type1D=0 Type1DArray=1 Type2D=2 Type2DArray=3 Type2DMultisample=4 TypeCube=5 Type3D=7",
    "SamplerMinMagFilter": "Nearest=0 Linear=1",
    "SamplerMipFilter": "NotMipmapped=0 Nearest=1 Linear=2",
    "SamplerAddressMode": """
        ClampToEdge=0 MirrorClampToEdge=1 Repeat=2 MirrorRepeat=3 ClampToZero=4 ClampToBorderColor=5
    """,
    "CompareFunction": "Never=0 Less=1 Equal=2 LessEqual=3 Greater=4 NotEqual=5 GreaterEqual=6 Always=7",
    "BlendFactor": """
        Zero=0 One=1 SourceColor=2 OneMinusSourceColor=3 SourceAlpha=4 OneMinusSourceAlpha=5 DestinationColor=6
        OneMinusDestinationColor=7 DestinationAlpha=8 OneMinusDestinationAlpha=9 SourceAlphaSaturated=10 BlendColor=11
        OneMinusBlendColor=12 BlendAlpha=13 OneMinusBlendAlpha=14
    """,
    "BlendOperation": "Add=0 Subtract=1 ReverseSubtract=2 Min=3 Max=4",
    "StencilOperation": """
        Keep=0 Zero=1 Replace=2 IncrementClamp=3 DecrementClamp=4 Invert=5 IncrementWrap=6 DecrementWrap=7
    """,
    "DataType": """
        None_=0 None=0 Struct=1 Array=2 Float=3 Float2=4 Float3=5 Float4=6 Int=29 Int2=30 Int3=31 Int4=32 UInt=33
        UInt2=34 UInt3=35 UInt4=36 Texture=58 Sampler=59 Pointer=60
    """,
    "BindingAccess": "ReadOnly=0 ReadWrite=1 WriteOnly=2",
}

FUNCTIONS = """
    create_system_default_device()
    copy_all_devices()
    shared_capture_manager()
"""

CLASSES = {
    "Origin": "__init__(x=0, y=0, z=0) | .x = | .y = | .z =",
    "Size": "__init__() | __init__(width, height=1, depth=1) | .width = | .height = | .depth =",
    "Range": "__init__(location, length) | .location = | .length =",
    "ClearColor": """
        __init__(red=0.0, green=0.0, blue=0.0, alpha=1.0) | .red = | .green = | .blue = | .alpha =
    """,
    "Device": """
        new_command_queue()
        new_buffer(length, options)
        new_buffer_with_data(data, length, options)
        new_library_with_source(source)
        new_compute_pipeline_state(function)
        new_texture(descriptor) | new_sampler_state(descriptor) | new_render_pipeline_state(descriptor)
        new_depth_stencil_state(descriptor) | new_heap(descriptor) | new_fence() | new_event() | new_shared_event()
        new_argument_encoder(arguments)
        new_indirect_command_buffer(descriptor, max_count, options)
        new_binary_archive(descriptor)
        .name | .max_threads_per_threadgroup | .is_low_power | .is_headless | .is_removable | .has_unified_memory
        .registry_id | .recommended_max_working_set_size | .max_buffer_length
    """,
    "CommandQueue": "command_buffer() | .device | .label =",
    "CommandBuffer": """
        compute_command_encoder() | render_command_encoder(descriptor) | blit_command_encoder() | commit()
        wait_until_completed() | wait_until_scheduled() | .status | .label =
        encode_signal_event(event, value) | encode_wait_for_event(event, value) | .device
    """,
    "Buffer": "contents() | did_modify_range(offset, length) | .length | .gpu_address | .label = | .device",
    "Library": "new_function(name) | .label = | .function_names | .device",
    "Function": "new_argument_encoder(buffer_index) | .name | .function_type | .device",
    "ComputePipelineState": ".max_total_threads_per_threadgroup | .thread_execution_width | .device",
    "ComputeCommandEncoder": """
        set_compute_pipeline_state(state) | set_buffer(buffer, offset, index) | set_bytes(data, index)
        set_bytes(data, length, index) | set_texture(texture, index) | set_sampler_state(sampler, index)
        set_threadgroup_memory_length(length, index)
        dispatch_threadgroups(threadgroups_x, threadgroups_y, threadgroups_z, threads_x, threads_y, threads_z)
        dispatch_threadgroups(threadgroups_per_grid_w, threadgroups_per_grid_h, threadgroups_per_grid_d, \
            threads_per_threadgroup_w, threads_per_threadgroup_h, threads_per_threadgroup_d)
        dispatch_threads(threads_x, threads_y, threads_z, threads_per_group_x, threads_per_group_y, \
            threads_per_group_z)
        dispatch_threads(threads_per_grid_w, threads_per_grid_h, threads_per_grid_d, threads_per_threadgroup_w, \
            threads_per_threadgroup_h, threads_per_threadgroup_d)
        update_fence(fence) | wait_for_fence(fence) | end_encoding() | .device
    """,
    "TextureDescriptor": """
        static texture2d_descriptor(format, width, height, mipmapped)
        static texture2d_descriptor(pixel_format, width, height, mipmapped)
        .texture_type = | .pixel_format = | .width = | .height = | .depth = | .mipmap_level_count = | .sample_count =
        .array_length = | .cpu_cache_mode = | .storage_mode = | .usage =
    """,
    "Texture": """
        replace_region(data, bytes_per_row, x, y, width, height, level=0)
        replace_region(region_origin, region_size, mipmap_level, data, bytes_per_row)
        get_bytes(data, bytes_per_row, region_origin, region_size, mipmap_level)
        .texture_type | .pixel_format | .width | .height | .depth | .mipmap_level_count | .sample_count | .array_length
        .label = | .device
    """,
    "SamplerDescriptor": """
        static sampler_descriptor()
        .min_filter = | .mag_filter = | .mip_filter = | .s_address_mode = | .t_address_mode = | .r_address_mode =
        .max_anisotropy = | .compare_function = | .lod_min_clamp = | .lod_max_clamp = | .normalized_coordinates =
    """,
    "SamplerState": ".label | .device",
    "RenderPipelineColorAttachmentDescriptor": """
        .pixel_format = | .blending_enabled = | .source_rgb_blend_factor = | .destination_rgb_blend_factor =
        .rgb_blend_operation = | .source_alpha_blend_factor = | .destination_alpha_blend_factor =
        .alpha_blend_operation = | .write_mask =
    """,
    "RenderPipelineDescriptor": """
        static render_pipeline_descriptor() | color_attachment(index) | .vertex_function = | .fragment_function =
        .depth_attachment_pixel_format = | .stencil_attachment_pixel_format = | .label = | .vertex_descriptor =
    """,
    "RenderPipelineState": ".label | .device",
    "RenderPassAttachmentDescriptor": ".texture = | .level = | .slice = | .load_action = | .store_action =",
    "RenderPassColorAttachmentDescriptor": ".texture = | .load_action = | .store_action = | .clear_color =",
    "RenderPassDepthAttachmentDescriptor": ".texture = | .load_action = | .store_action = | .clear_depth =",
    "RenderPassDescriptor": """
        static render_pass_descriptor() | color_attachment(index) | .depth_attachment | .stencil_attachment
    """,
    "VertexAttributeDescriptor": ".format = | .offset = | .buffer_index =",
    "VertexBufferLayoutDescriptor": ".stride = | .step_function = | .step_rate =",
    "VertexDescriptor": "static vertex_descriptor() | attribute(index) | layout(index) | reset()",
    "MetalDrawable": "present() | .texture | .layer",
    "MetalLayer": """
        static layer() | next_drawable() | .device = | .pixel_format = | .framebuffer_only = | .drawable_size =
    """,
    "RenderCommandEncoder": """
        set_render_pipeline_state(state) | set_vertex_buffer(buffer, offset, index)
        set_fragment_buffer(buffer, offset, index) | set_vertex_texture(texture, index)
        set_fragment_texture(texture, index) | set_vertex_sampler_state(sampler, index)
        set_fragment_sampler_state(sampler, index) | set_cull_mode(mode) | set_front_facing_winding(winding)
        set_viewport(origin_x, origin_y, width, height, znear, zfar) | set_scissor_rect(x, y, width, height)
        draw_primitives(type, start, count) | draw_primitives(primitive_type, vertex_start, vertex_count)
        draw_primitives_instanced(primitive_type, vertex_start, vertex_count, instance_count)
        draw_indexed_primitives(type, index_count, index_type, index_buffer, index_buffer_offset)
        draw_indexed_primitives(primitive_type, index_count, index_type, index_buffer, index_buffer_offset)
        draw_indexed_primitives_instanced(primitive_type, index_count, index_type, index_buffer, \
            index_buffer_offset, instance_count)
        set_depth_stencil_state(state) | set_stencil_reference_value(value) | update_fence(fence)
        wait_for_fence(fence) | end_encoding() | .device
    """,
    "BlitCommandEncoder": """
        copy_from_buffer(source_buffer, source_offset, destination_buffer, destination_offset, size)
        copy_from_buffer_to_buffer(source, source_offset, destination, destination_offset, size)
        copy_from_texture_to_buffer(source_texture, source_slice, source_level, source_origin, source_size, \
            destination_buffer, destination_offset, destination_bytes_per_row, destination_bytes_per_image)
        copy_from_texture_to_buffer(source, source_slice, source_level, source_origin, source_size, destination, \
            destination_offset, destination_bytes_per_row, destination_bytes_per_image)
        copy_from_buffer_to_texture(source_buffer, source_offset, source_bytes_per_row, source_bytes_per_image, \
            source_size, destination_texture, destination_slice, destination_level, destination_origin)
        copy_from_buffer_to_texture(source, source_offset, source_bytes_per_row, source_bytes_per_image, \
            source_size, destination, destination_slice, destination_level, destination_origin)
        copy_from_texture_to_texture(source, source_slice, source_level, source_origin, source_size, destination, \
            destination_slice, destination_level, destination_origin)
        generate_mipmaps(texture) | fill_buffer(buffer, range, value) | synchronize_resource(buffer)
        synchronize_resource(resource) | synchronize_texture(texture, slice, level) | update_fence(fence)
        wait_for_fence(fence) | end_encoding() | .device
    """,
    "StencilDescriptor": """
        static stencil_descriptor() | .stencil_compare_function = | .stencil_failure_operation =
        .depth_failure_operation = | .depth_stencil_pass_operation = | .read_mask = | .write_mask =
    """,
    "DepthStencilDescriptor": """
        static depth_stencil_descriptor() | .depth_compare_function = | .depth_write_enabled =
        .front_face_stencil = | .back_face_stencil = | .label =
    """,
    "DepthStencilState": ".label | .device",
    "HeapDescriptor": "static heap_descriptor() | .size = | .storage_mode = | .cpu_cache_mode =",
    "Heap": """
        max_available_size(alignment) | new_buffer(length, options) | new_texture(descriptor) | .device | .label =
        .size | .used_size | .current_allocated_size
    """,
    "Fence": ".device | .label =",
    "Event": ".device | .label =",
    "SharedEvent": ".device | .signaled_value = | .label =",
    "ArgumentDescriptor": """
        static argument_descriptor() | .data_type = | .index = | .array_length = | .access = | .texture_type =
        .constant_block_alignment =
    """,
    "ArgumentEncoder": """
        set_argument_buffer(buffer, offset) | set_buffer(buffer, offset, index) | set_texture(texture, index)
        set_sampler_state(sampler, index) | constant_data(index) | .device | .encoded_length | .alignment | .label =
    """,
    "IndirectCommandBufferDescriptor": """
        static indirect_command_buffer_descriptor() | .command_types = | .inherit_buffers =
        .inherit_pipeline_state = | .max_vertex_buffer_bind_count = | .max_fragment_buffer_bind_count =
    """,
    "IndirectCommandBuffer": "reset(range) | .size | .label =",
    "BinaryArchiveDescriptor": "static binary_archive_descriptor() | set_url(path) | .url =",
    "BinaryArchive": ".device | .label =",
    "CaptureScope": "begin_scope() | end_scope() | .device | .command_queue | .label =",
    "CaptureManager": """
        new_capture_scope_with_device(device) | new_capture_scope_with_command_queue(queue)
        start_capture_with_scope(scope) | stop_capture() | .is_capturing | .default_capture_scope =
    """,
}

BASES = {
    "RenderPassColorAttachmentDescriptor": "RenderPassAttachmentDescriptor",
    "RenderPassDepthAttachmentDescriptor": "RenderPassAttachmentDescriptor",
}

# Of the module `shader`, which is Python: functions, and methods of its classes, with the defaults of their parameters.
SHADER = """
    ShaderPreprocessor(include_paths=None)
    ShaderPreprocessor.add_include_path(path)
    ShaderPreprocessor.define(name, value='1')
    ShaderPreprocessor.define_many(defines)
    ShaderPreprocessor.undefine(name)
    ShaderPreprocessor.register_macro_function(name, func)
    ShaderPreprocessor.process(source, source_file=None, process_includes=True, process_defines=True, process_conditionals=True)
    ShaderPreprocessor.process_file(filepath, process_includes=True, process_defines=True, process_conditionals=True)
    ShaderPreprocessor.clear_cache()
    ShaderTemplate(template)
    ShaderTemplate.set_default(name, value)
    ShaderTemplate.set_defaults(defaults)
    ShaderTemplate.render(**kwargs)
    ShaderTemplate.render_with_preprocessor(preprocessor, **kwargs)
    compute_shader_hash(source)
    create_compute_kernel(name, body, buffers, threads_per_grid=True, include_stdlib=True)
"""  # noqa: E501
