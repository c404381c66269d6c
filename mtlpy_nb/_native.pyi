"""Metal's objects, one for one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
import enum
from typing import Any, overload

import numpy
import numpy.typing
from typing_extensions import Buffer as _Buffer, Self


class PixelFormat(enum.IntEnum):
    """How a texel is stored."""

    Invalid = 0

    A8Unorm = 1

    R8Unorm = 10

    R8Unorm_sRGB = 11

    R8Snorm = 12

    R8Uint = 13

    R8Sint = 14

    R16Unorm = 20

    R16Snorm = 22

    R16Uint = 23

    R16Sint = 24

    R16Float = 25

    RG8Unorm = 30

    RG8Unorm_sRGB = 31

    RG8Snorm = 32

    RG8Uint = 33

    RG8Sint = 34

    B5G6R5Unorm = 40

    A1BGR5Unorm = 41

    ABGR4Unorm = 42

    BGR5A1Unorm = 43

    R32Uint = 53

    R32Sint = 54

    R32Float = 55

    RG16Unorm = 60

    RG16Snorm = 62

    RG16Uint = 63

    RG16Sint = 64

    RG16Float = 65

    RGBA8Unorm = 70

    RGBA8Unorm_sRGB = 71

    RGBA8Snorm = 72

    RGBA8Uint = 73

    RGBA8Sint = 74

    BGRA8Unorm = 80

    BGRA8Unorm_sRGB = 81

    RGB10A2Unorm = 90

    RGB10A2Uint = 91

    RG11B10Float = 92

    RGB9E5Float = 93

    BGR10A2Unorm = 94

    BGR10_XR = 554

    BGR10_XR_sRGB = 555

    RG32Uint = 103

    RG32Sint = 104

    RG32Float = 105

    RGBA16Unorm = 110

    RGBA16Snorm = 112

    RGBA16Uint = 113

    RGBA16Sint = 114

    RGBA16Float = 115

    BGRA10_XR = 552

    BGRA10_XR_sRGB = 553

    RGBA32Uint = 123

    RGBA32Sint = 124

    RGBA32Float = 125

    BC1_RGBA = 130

    BC1_RGBA_sRGB = 131

    BC2_RGBA = 132

    BC2_RGBA_sRGB = 133

    BC3_RGBA = 134

    BC3_RGBA_sRGB = 135

    BC4_RUnorm = 140

    BC4_RSnorm = 141

    BC5_RGUnorm = 142

    BC5_RGSnorm = 143

    BC6H_RGBFloat = 150

    BC6H_RGBUfloat = 151

    BC7_RGBAUnorm = 152

    BC7_RGBAUnorm_sRGB = 153

    PVRTC_RGB_2BPP = 160

    PVRTC_RGB_2BPP_sRGB = 161

    PVRTC_RGB_4BPP = 162

    PVRTC_RGB_4BPP_sRGB = 163

    PVRTC_RGBA_2BPP = 164

    PVRTC_RGBA_2BPP_sRGB = 165

    PVRTC_RGBA_4BPP = 166

    PVRTC_RGBA_4BPP_sRGB = 167

    EAC_R11Unorm = 170

    EAC_R11Snorm = 172

    EAC_RG11Unorm = 174

    EAC_RG11Snorm = 176

    EAC_RGBA8 = 178

    EAC_RGBA8_sRGB = 179

    ETC2_RGB8 = 180

    ETC2_RGB8_sRGB = 181

    ETC2_RGB8A1 = 182

    ETC2_RGB8A1_sRGB = 183

    ASTC_4x4_sRGB = 186

    ASTC_5x4_sRGB = 187

    ASTC_5x5_sRGB = 188

    ASTC_6x5_sRGB = 189

    ASTC_6x6_sRGB = 190

    ASTC_8x5_sRGB = 192

    ASTC_8x6_sRGB = 193

    ASTC_8x8_sRGB = 194

    ASTC_10x5_sRGB = 195

    ASTC_10x6_sRGB = 196

    ASTC_10x8_sRGB = 197

    ASTC_10x10_sRGB = 198

    ASTC_12x10_sRGB = 199

    ASTC_12x12_sRGB = 200

    ASTC_4x4_LDR = 204

    ASTC_5x4_LDR = 205

    ASTC_5x5_LDR = 206

    ASTC_6x5_LDR = 207

    ASTC_6x6_LDR = 208

    ASTC_8x5_LDR = 210

    ASTC_8x6_LDR = 211

    ASTC_8x8_LDR = 212

    ASTC_10x5_LDR = 213

    ASTC_10x6_LDR = 214

    ASTC_10x8_LDR = 215

    ASTC_10x10_LDR = 216

    ASTC_12x10_LDR = 217

    ASTC_12x12_LDR = 218

    ASTC_4x4_HDR = 222

    ASTC_5x4_HDR = 223

    ASTC_5x5_HDR = 224

    ASTC_6x5_HDR = 225

    ASTC_6x6_HDR = 226

    ASTC_8x5_HDR = 228

    ASTC_8x6_HDR = 229

    ASTC_8x8_HDR = 230

    ASTC_10x5_HDR = 231

    ASTC_10x6_HDR = 232

    ASTC_10x8_HDR = 233

    ASTC_10x10_HDR = 234

    ASTC_12x10_HDR = 235

    ASTC_12x12_HDR = 236

    GBGR422 = 240

    BGRG422 = 241

    Depth16Unorm = 250

    Depth32Float = 252

    Stencil8 = 253

    Depth24Unorm_Stencil8 = 255

    Depth32Float_Stencil8 = 260

    X32_Stencil8 = 261

    X24_Stencil8 = 262

    Unspecialized = 263

class StorageMode(enum.IntEnum):
    """Where a resource lives and who may see it."""

    Shared = 0

    Managed = 1

    Private = 2

    Memoryless = 3

class CPUCacheMode(enum.IntEnum):
    """How the CPU caches a resource."""

    DefaultCache = 0

    WriteCombined = 1

class HazardTrackingMode(enum.IntEnum):
    """Whether Metal orders commands that use a resource."""

    Default = 0

    Untracked = 1

    Tracked = 2

class PurgeableState(enum.IntEnum):
    """Whether Metal may drop the contents of a resource."""

    KeepCurrent = 1

    NonVolatile = 2

    Volatile = 3

    Empty = 4

class HeapType(enum.IntEnum):
    """Who chooses where in a heap its resources are."""

    Automatic = 0

    Placement = 1

    Sparse = 2

class ResourceUsage(enum.IntFlag):
    """How an encoder uses a resource."""

    Read = 1
    """How an encoder uses a resource."""

    Write = 2
    """How an encoder uses a resource."""

    Sample = 4
    """How an encoder uses a resource."""

class TextureType(enum.IntEnum):
    """Dimensions and arrangement of a texture."""

    Type1D = 0

    Type1DArray = 1

    Type2D = 2

    Type2DArray = 3

    Type2DMultisample = 4

    TypeCube = 5

    TypeCubeArray = 6

    Type3D = 7

    Type2DMultisampleArray = 8

    TypeTextureBuffer = 9

class TextureUsage(enum.IntFlag):
    """What a texture is made for."""

    Unknown = 0
    """What a texture is made for."""

    ShaderRead = 1
    """What a texture is made for."""

    ShaderWrite = 2
    """What a texture is made for."""

    RenderTarget = 4
    """What a texture is made for."""

    PixelFormatView = 16
    """What a texture is made for."""

    ShaderAtomic = 32
    """What a texture is made for."""

class TextureCompressionType(enum.IntEnum):
    """Whether the device may compress a texture with loss."""

    Lossless = 0

    Lossy = 1

class SamplerMinMagFilter(enum.IntEnum):
    """How texels are combined within a level."""

    Nearest = 0

    Linear = 1

class SamplerMipFilter(enum.IntEnum):
    """How levels are combined."""

    NotMipmapped = 0

    Nearest = 1

    Linear = 2

class SamplerReductionMode(enum.IntEnum):
    """What becomes of the texels of one sample."""

    WeightedAverage = 0

    Minimum = 1

    Maximum = 2

class SamplerAddressMode(enum.IntEnum):
    """What a sampler reads outside of a texture."""

    ClampToEdge = 0

    MirrorClampToEdge = 1

    Repeat = 2

    MirrorRepeat = 3

    ClampToZero = 4

    ClampToBorderColor = 5

class SamplerBorderColor(enum.IntEnum):
    """The colour outside of a texture with ClampToBorderColor."""

    TransparentBlack = 0

    OpaqueBlack = 1

    OpaqueWhite = 2

class TextureSwizzle(enum.IntEnum):
    """What a texture shows as one of its components."""

    Zero = 0

    One = 1

    Red = 2

    Green = 3

    Blue = 4

    Alpha = 5

class CompareFunction(enum.IntEnum):
    """When a comparison passes."""

    Never = 0

    Less = 1

    Equal = 2

    LessEqual = 3

    Greater = 4

    NotEqual = 5

    GreaterEqual = 6

    Always = 7

class FunctionType(enum.IntEnum):
    """The stage a function is for."""

    Vertex = 1

    Fragment = 2

    Kernel = 3

    Visible = 5

    Intersection = 6

    Mesh = 7

    Object = 8

class LanguageVersion(enum.IntEnum):
    """Version of the Metal shading language."""

    Version1_0 = 65536

    Version1_1 = 65537

    Version1_2 = 65538

    Version2_0 = 131072

    Version2_1 = 131073

    Version2_2 = 131074

    Version2_3 = 131075

    Version2_4 = 131076

    Version3_0 = 196608

    Version3_1 = 196609

    Version3_2 = 196610

    Version4_0 = 262144

class LibraryType(enum.IntEnum):
    """Whether a library is run or linked."""

    Executable = 0

    Dynamic = 1

class LibraryOptimizationLevel(enum.IntEnum):
    """What the compiler optimises for."""

    Default = 0

    Size = 1

class MathMode(enum.IntEnum):
    """Freedom of floating-point arithmetic."""

    Safe = 0

    Relaxed = 1

    Fast = 2

class MathFloatingPointFunctions(enum.IntEnum):
    """Precision of the mathematical functions."""

    Fast = 0

    Precise = 1

class LibraryError(enum.IntEnum):
    """Codes of the errors of libraries."""

    Unsupported = 1

    Internal = 2

    CompileFailure = 3

    CompileWarning = 4

    FunctionNotFound = 5

    FileNotFound = 6

class DataType(enum.IntEnum):
    """Type of an argument, of a struct member or of a constant."""

    Struct = 1

    Array = 2

    Float = 3

    Float2 = 4

    Float3 = 5

    Float4 = 6

    Float2x2 = 7

    Float2x3 = 8

    Float2x4 = 9

    Float3x2 = 10

    Float3x3 = 11

    Float3x4 = 12

    Float4x2 = 13

    Float4x3 = 14

    Float4x4 = 15

    Half = 16

    Half2 = 17

    Half3 = 18

    Half4 = 19

    Half2x2 = 20

    Half2x3 = 21

    Half2x4 = 22

    Half3x2 = 23

    Half3x3 = 24

    Half3x4 = 25

    Half4x2 = 26

    Half4x3 = 27

    Half4x4 = 28

    Int = 29

    Int2 = 30

    Int3 = 31

    Int4 = 32

    UInt = 33

    UInt2 = 34

    UInt3 = 35

    UInt4 = 36

    Short = 37

    Short2 = 38

    Short3 = 39

    Short4 = 40

    UShort = 41

    UShort2 = 42

    UShort3 = 43

    UShort4 = 44

    Char = 45

    Char2 = 46

    Char3 = 47

    Char4 = 48

    UChar = 49

    UChar2 = 50

    UChar3 = 51

    UChar4 = 52

    Bool = 53

    Bool2 = 54

    Bool3 = 55

    Bool4 = 56

    Texture = 58

    Sampler = 59

    Pointer = 60

    R8Unorm = 62

    R8Snorm = 63

    R16Unorm = 64

    R16Snorm = 65

    RG8Unorm = 66

    RG8Snorm = 67

    RG16Unorm = 68

    RG16Snorm = 69

    RGBA8Unorm = 70

    RGBA8Unorm_sRGB = 71

    RGBA8Snorm = 72

    RGBA16Unorm = 73

    RGBA16Snorm = 74

    RGB10A2Unorm = 75

    RG11B10Float = 76

    RGB9E5Float = 77

    RenderPipeline = 78

    ComputePipeline = 79

    IndirectCommandBuffer = 80

    Long = 81

    Long2 = 82

    Long3 = 83

    Long4 = 84

    ULong = 85

    ULong2 = 86

    ULong3 = 87

    ULong4 = 88

    VisibleFunctionTable = 115

    IntersectionFunctionTable = 116

    PrimitiveAccelerationStructure = 117

    InstanceAccelerationStructure = 118

    BFloat = 121

    BFloat2 = 122

    BFloat3 = 123

    BFloat4 = 124

    DepthStencilState = 139

    Tensor = 140

class BindingType(enum.IntEnum):
    """Kind of an argument."""

    Buffer = 0

    ThreadgroupMemory = 1

    Texture = 2

    Sampler = 3

    ImageblockData = 16

    Imageblock = 17

    VisibleFunctionTable = 24

    PrimitiveAccelerationStructure = 25

    InstanceAccelerationStructure = 26

    IntersectionFunctionTable = 27

    ObjectPayload = 34

    Tensor = 37

class ArgumentType(enum.IntEnum):
    """Kind of an argument; the older name of BindingType."""

    Buffer = 0

    ThreadgroupMemory = 1

    Texture = 2

    Sampler = 3

    ImageblockData = 16

    Imageblock = 17

    VisibleFunctionTable = 24

    PrimitiveAccelerationStructure = 25

    InstanceAccelerationStructure = 26

    IntersectionFunctionTable = 27

class BindingAccess(enum.IntEnum):
    """Whether a function reads or writes an argument."""

    ReadOnly = 0

    ReadWrite = 1

    WriteOnly = 2

class PipelineOption(enum.IntFlag):
    """What is asked for when a pipeline is made."""

    BindingInfo = 1
    """What is asked for when a pipeline is made."""

    BufferTypeInfo = 2
    """What is asked for when a pipeline is made."""

    FailOnBinaryArchiveMiss = 4
    """What is asked for when a pipeline is made."""

class Mutability(enum.IntEnum):
    """Whether a buffer may change while commands use it."""

    Default = 0

    Mutable = 1

    Immutable = 2

class CommandBufferStatus(enum.IntEnum):
    """How far a command buffer has come."""

    NotEnqueued = 0

    Enqueued = 1

    Committed = 2

    Scheduled = 3

    Completed = 4

    Error = 5

class CommandBufferError(enum.IntEnum):
    """Codes of the errors of command buffers."""

    Internal = 1

    Timeout = 2

    PageFault = 3

    AccessRevoked = 4

    NotPermitted = 7

    OutOfMemory = 8

    InvalidResource = 9

    Memoryless = 10

    DeviceRemoved = 11

    StackOverflow = 12

class DispatchType(enum.IntEnum):
    """Whether the dispatches of an encoder run one after another."""

    Serial = 0

    Concurrent = 1

class CounterSamplingPoint(enum.IntEnum):
    """Between what commands samples are taken."""

    AtStageBoundary = 0

    AtDrawBoundary = 1

    AtDispatchBoundary = 2

    AtTileDispatchBoundary = 3

    AtBlitBoundary = 4

class BarrierScope(enum.IntFlag):
    """Kinds of resources that a memory barrier covers."""

    Buffers = 1
    """Kinds of resources that a memory barrier covers."""

    Textures = 2
    """Kinds of resources that a memory barrier covers."""

    RenderTargets = 4
    """Kinds of resources that a memory barrier covers."""

class BlitOption(enum.IntFlag):
    """Which part of a depth and stencil texture a copy is about."""

    DepthFromDepthStencil = 1
    """Which part of a depth and stencil texture a copy is about."""

    StencilFromDepthStencil = 2
    """Which part of a depth and stencil texture a copy is about."""

    RowLinearPVRTC = 4
    """Which part of a depth and stencil texture a copy is about."""

class IndexType(enum.IntEnum):
    """Type of indices."""

    UInt16 = 0

    UInt32 = 1

class GPUFamily(enum.IntEnum):
    """Families of devices."""

    Apple1 = 1001

    Apple2 = 1002

    Apple3 = 1003

    Apple4 = 1004

    Apple5 = 1005

    Apple6 = 1006

    Apple7 = 1007

    Apple8 = 1008

    Apple9 = 1009

    Apple10 = 1010

    Mac1 = 2001

    Mac2 = 2002

    Common1 = 3001

    Common2 = 3002

    Common3 = 3003

    MacCatalyst1 = 4001

    MacCatalyst2 = 4002

    Metal3 = 5001

    Metal4 = 5002

class ReadWriteTextureTier(enum.IntEnum):
    """Formats that a kernel may both read and write."""

    Tier1 = 1

    Tier2 = 2

class ArgumentBuffersTier(enum.IntEnum):
    """How far argument buffers go."""

    Tier1 = 0

    Tier2 = 1

class LoadAction(enum.IntEnum):
    """What an attachment holds when a pass begins."""

    DontCare = 0

    Load = 1

    Clear = 2

class StoreAction(enum.IntEnum):
    """What becomes of an attachment when a pass ends."""

    DontCare = 0

    Store = 1

    MultisampleResolve = 2

    StoreAndMultisampleResolve = 3

    Unknown = 4

    CustomSampleDepthStore = 5

class StoreActionOptions(enum.IntFlag):
    """What a store action keeps besides."""

    CustomSamplePositions = 1
    """What a store action keeps besides."""

class MultisampleDepthResolveFilter(enum.IntEnum):
    """Which of a pixel's depths a resolve keeps."""

    Sample0 = 0

    Min = 1

    Max = 2

class MultisampleStencilResolveFilter(enum.IntEnum):
    """Which of a pixel's stencil values a resolve keeps."""

    Sample0 = 0

    DepthResolvedSample = 1

class VisibilityResultMode(enum.IntEnum):
    """Whether samples that pass are counted."""

    Disabled = 0

    Boolean = 1

    Counting = 2

class PrimitiveType(enum.IntEnum):
    """What the vertices of a draw are joined to."""

    Point = 0

    Line = 1

    LineStrip = 2

    Triangle = 3

    TriangleStrip = 4

class CullMode(enum.IntEnum):
    """Which triangles are left out."""

    Front = 1

    Back = 2

class Winding(enum.IntEnum):
    """Order of the vertices of a triangle that is seen from its front."""

    Clockwise = 0

    CounterClockwise = 1

class DepthClipMode(enum.IntEnum):
    """What becomes of what lies outside of the depth range."""

    Clip = 0

    Clamp = 1

class TriangleFillMode(enum.IntEnum):
    """Whether triangles are filled, or their edges drawn."""

    Fill = 0

    Lines = 1

class RenderStages(enum.IntFlag):
    """Stages of rendering, for fences, barriers and resources."""

    Vertex = 1
    """Stages of rendering, for fences, barriers and resources."""

    Fragment = 2
    """Stages of rendering, for fences, barriers and resources."""

    Tile = 4
    """Stages of rendering, for fences, barriers and resources."""

    Object = 8
    """Stages of rendering, for fences, barriers and resources."""

    Mesh = 16
    """Stages of rendering, for fences, barriers and resources."""

class StencilOperation(enum.IntEnum):
    """What a stencil test does to the stored value."""

    Keep = 0

    Zero = 1

    Replace = 2

    IncrementClamp = 3

    DecrementClamp = 4

    Invert = 5

    IncrementWrap = 6

    DecrementWrap = 7

class BlendFactor(enum.IntEnum):
    """What a colour is multiplied by before it is blended."""

    Zero = 0

    One = 1

    SourceColor = 2

    OneMinusSourceColor = 3

    SourceAlpha = 4

    OneMinusSourceAlpha = 5

    DestinationColor = 6

    OneMinusDestinationColor = 7

    DestinationAlpha = 8

    OneMinusDestinationAlpha = 9

    SourceAlphaSaturated = 10

    BlendColor = 11

    OneMinusBlendColor = 12

    BlendAlpha = 13

    OneMinusBlendAlpha = 14

    Source1Color = 15

    OneMinusSource1Color = 16

    Source1Alpha = 17

    OneMinusSource1Alpha = 18

class BlendOperation(enum.IntEnum):
    """How a new colour and the stored one become one."""

    Add = 0

    Subtract = 1

    ReverseSubtract = 2

    Min = 3

    Max = 4

class ColorWriteMask(enum.IntFlag):
    """Channels of a colour attachment that are written."""

    Red = 8
    """Channels of a colour attachment that are written."""

    Green = 4
    """Channels of a colour attachment that are written."""

    Blue = 2
    """Channels of a colour attachment that are written."""

    Alpha = 1
    """Channels of a colour attachment that are written."""

    All = 15
    """Channels of a colour attachment that are written."""

ColorWriteMaskNone: int = 0

ColorWriteMaskRed: int = 8

ColorWriteMaskGreen: int = 4

ColorWriteMaskBlue: int = 2

ColorWriteMaskAlpha: int = 1

ColorWriteMaskAll: int = 15

class PrimitiveTopologyClass(enum.IntEnum):
    """Kind of primitives of a pipeline."""

    Unspecified = 0

    Point = 1

    Line = 2

    Triangle = 3

class VertexStepFunction(enum.IntEnum):
    """Which element of its buffer a vertex fetches."""

    Constant = 0

    PerVertex = 1

    PerInstance = 2

    PerPatch = 3

    PerPatchControlPoint = 4

class VertexFormat(enum.IntEnum):
    """How an attribute of a vertex lies in its buffer."""

    Invalid = 0

    UChar2 = 1

    UChar3 = 2

    UChar4 = 3

    Char2 = 4

    Char3 = 5

    Char4 = 6

    UChar2Normalized = 7

    UChar3Normalized = 8

    UChar4Normalized = 9

    Char2Normalized = 10

    Char3Normalized = 11

    Char4Normalized = 12

    UShort2 = 13

    UShort3 = 14

    UShort4 = 15

    Short2 = 16

    Short3 = 17

    Short4 = 18

    UShort2Normalized = 19

    UShort3Normalized = 20

    UShort4Normalized = 21

    Short2Normalized = 22

    Short3Normalized = 23

    Short4Normalized = 24

    Half2 = 25

    Half3 = 26

    Half4 = 27

    Float = 28

    Float2 = 29

    Float3 = 30

    Float4 = 31

    Int = 32

    Int2 = 33

    Int3 = 34

    Int4 = 35

    UInt = 36

    UInt2 = 37

    UInt3 = 38

    UInt4 = 39

    Int1010102Normalized = 40

    UInt1010102Normalized = 41

    UChar4Normalized_BGRA = 42

    UChar = 45

    Char = 46

    UCharNormalized = 47

    CharNormalized = 48

    UShort = 49

    Short = 50

    UShortNormalized = 51

    ShortNormalized = 52

    Half = 53

    FloatRG11B10 = 54

    FloatRGB9E5 = 55

class Size:
    """
    Extent in three dimensions; iterates and compares as (width, height, depth).
    """

    @overload
    def __init__(self) -> None: ...

    @overload
    def __init__(self, width: int, height: int = 1, depth: int = 1) -> None: ...

    @property
    def width(self) -> int:
        """Elements in x."""

    @width.setter
    def width(self, arg: int, /) -> None: ...

    @property
    def height(self) -> int:
        """Elements in y."""

    @height.setter
    def height(self, arg: int, /) -> None: ...

    @property
    def depth(self) -> int:
        """Elements in z."""

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Origin:
    """Place in three dimensions; iterates and compares as (x, y, z)."""

    def __init__(self, x: int = 0, y: int = 0, z: int = 0) -> None: ...

    @property
    def x(self) -> int:
        """Column, from 0 on."""

    @x.setter
    def x(self, arg: int, /) -> None: ...

    @property
    def y(self) -> int:
        """Row, from 0 on."""

    @y.setter
    def y(self, arg: int, /) -> None: ...

    @property
    def z(self) -> int:
        """Plane of a 3D texture, from 0 on."""

    @z.setter
    def z(self, arg: int, /) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Range:
    """
    Place and length of a part; iterates and compares as (location, length).
    """

    def __init__(self, location: int = 0, length: int = 0) -> None: ...

    @property
    def location(self) -> int:
        """Index of the first element."""

    @location.setter
    def location(self, arg: int, /) -> None: ...

    @property
    def length(self) -> int:
        """How many there are."""

    @length.setter
    def length(self, arg: int, /) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Region:
    """Part of a texture: its origin and its size."""

    def __init__(self, origin: Origin | int | Sequence[int], size: Size | int | Sequence[int]) -> None: ...

    @staticmethod
    def make_2d(x: int, y: int, width: int, height: int) -> Region:
        """A region with a depth of 1."""

    @property
    def origin(self) -> Origin:
        """Its first texel."""

    @origin.setter
    def origin(self, arg: Origin | int | Sequence[int], /) -> None: ...

    @property
    def size(self) -> Size:
        """Texels in each dimension."""

    @size.setter
    def size(self, arg: Size | int | Sequence[int], /) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class ClearColor:
    """
    A colour that an attachment is cleared to; iterates and compares as (red, green, blue, alpha).
    """

    def __init__(self, red: float = 0.0, green: float = 0.0, blue: float = 0.0, alpha: float = 1.0) -> None: ...

    @property
    def red(self) -> float:
        """Red; 1 is full for normalised formats."""

    @red.setter
    def red(self, arg: float, /) -> None: ...

    @property
    def green(self) -> float:
        """Green."""

    @green.setter
    def green(self, arg: float, /) -> None: ...

    @property
    def blue(self) -> float:
        """Blue."""

    @blue.setter
    def blue(self, arg: float, /) -> None: ...

    @property
    def alpha(self) -> float:
        """Alpha; 1 is opaque."""

    @alpha.setter
    def alpha(self, arg: float, /) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Viewport:
    """Where on the targets a draw lands, and at which depths."""

    def __init__(self, origin_x: float, origin_y: float, width: float, height: float, znear: float = 0.0, zfar: float = 1.0) -> None: ...

    @property
    def origin_x(self) -> float:
        """Left edge, in pixels."""

    @origin_x.setter
    def origin_x(self, arg: float, /) -> None: ...

    @property
    def origin_y(self) -> float:
        """Upper edge, in pixels."""

    @origin_y.setter
    def origin_y(self, arg: float, /) -> None: ...

    @property
    def width(self) -> float:
        """Width in pixels."""

    @width.setter
    def width(self, arg: float, /) -> None: ...

    @property
    def height(self) -> float:
        """Height in pixels."""

    @height.setter
    def height(self, arg: float, /) -> None: ...

    @property
    def znear(self) -> float:
        """Depth that the near plane becomes."""

    @znear.setter
    def znear(self, arg: float, /) -> None: ...

    @property
    def zfar(self) -> float:
        """Depth that the far plane becomes."""

    @zfar.setter
    def zfar(self, arg: float, /) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class ScissorRect:
    """The pixels that draws may change."""

    def __init__(self, x: int, y: int, width: int, height: int) -> None: ...

    @property
    def x(self) -> int:
        """Left edge, in pixels."""

    @x.setter
    def x(self, arg: int, /) -> None: ...

    @property
    def y(self) -> int:
        """Upper edge, in pixels."""

    @y.setter
    def y(self, arg: int, /) -> None: ...

    @property
    def width(self) -> int:
        """Width in pixels."""

    @width.setter
    def width(self, arg: int, /) -> None: ...

    @property
    def height(self) -> int:
        """Height in pixels."""

    @height.setter
    def height(self, arg: int, /) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class SamplePosition:
    """Where in its pixel a sample lies."""

    def __init__(self, x: float, y: float) -> None: ...

    @property
    def x(self) -> float:
        """From the left edge, 0 to 1."""

    @x.setter
    def x(self, arg: float, /) -> None: ...

    @property
    def y(self) -> float:
        """From the upper edge, 0 to 1."""

    @y.setter
    def y(self, arg: float, /) -> None: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def data_type_name(type: DataType) -> str:
    """
    Name in Metal's language, such as "float4"; empty for types without one.
    """

def data_type_layout(type: DataType) -> tuple[int, int]:
    """
    Size and alignment in bytes; (0, 0) for types without a layout of their own.
    """

class TypeInfo:
    """A type of Metal's language and its layout in memory."""

    @property
    def data_type(self) -> DataType:
        """Which type it is: Float4, Struct, Array, Pointer, ..."""

    @property
    def name(self) -> str:
        """As written in Metal's language; empty where Metal doesn't say."""

    @property
    def size(self) -> int:
        """Bytes of a value."""

    @property
    def alignment(self) -> int:
        """What its address must be a multiple of, in bytes."""

    @property
    def members(self) -> list[Member]:
        """Of a struct."""

    @property
    def element(self) -> TypeInfo:
        """Of an array or a pointer."""

    @property
    def array_length(self) -> int:
        """Elements of an array; 0 of other types."""

    @property
    def stride(self) -> int:
        """Bytes from one element of an array to the next."""

    @property
    def access(self) -> BindingAccess:
        """Of a pointer or a texture."""

    def __repr__(self) -> str: ...

class Member:
    """A member of a struct."""

    @property
    def name(self) -> str:
        """Its name in the source."""

    @property
    def offset(self) -> int:
        """Bytes from the start of the struct."""

    @property
    def argument_index(self) -> int | None:
        """n of [[id(n)]] in an argument buffer."""

    @property
    def type(self) -> TypeInfo:
        """Its type."""

    def __repr__(self) -> str: ...

class Argument:
    """An argument of a function, by reflection."""

    @property
    def name(self) -> str:
        """Its name in the source."""

    @property
    def kind(self) -> BindingType:
        """
        What is bound there: a buffer, threadgroup memory, a texture, a sampler, a table of functions.
        """

    @property
    def index(self) -> int:
        """n of [[buffer(n)]], [[texture(n)]], ..."""

    @property
    def access(self) -> BindingAccess:
        """Whether the function only reads it, only writes it, or does both."""

    @property
    def is_used(self) -> bool:
        """
        Whether the compiled code touches it; what is not used need not be bound.
        """

    @property
    def array_length(self) -> int:
        """Elements of an array of textures; else 1."""

    @property
    def type(self) -> TypeInfo:
        """What a buffer points at; a texture's or a sampler's type."""

    @property
    def size(self) -> int:
        """Bytes of what a buffer points at, or of threadgroup memory."""

    @property
    def alignment(self) -> int:
        """What its address must be a multiple of, in bytes."""

    @property
    def texture_type(self) -> TextureType | None:
        """Shape of the texture; None of other arguments."""

    @property
    def texture_data_type(self) -> DataType | None:
        """
        What reading a texel gives: Float, Half, Int, UInt, ...; None of other arguments.
        """

    @property
    def is_depth_texture(self) -> bool:
        """Whether it is declared as a depth texture, such as `depth2d<float>`."""

    @property
    def is_reference(self) -> bool | None:
        """Whether it is a reference and no pointer; None on a Mac."""

    @property
    def type_text(self) -> str | None:
        """The parameter's type as written; None on a Mac."""

    @property
    def address_space(self) -> str | None:
        """"device", "constant" or "threadgroup"; None on a Mac."""

    @property
    def condition(self) -> str:
        """The constant in [[function_constant(...)]], or empty."""

    def __repr__(self) -> str: ...

class FunctionInfo:
    """A function as its source declares it; software device only."""

    @property
    def name(self) -> str:
        """Its name in the source."""

    @property
    def function_type(self) -> FunctionType:
        """Vertex, Fragment, Kernel, Visible or Intersection."""

    @property
    def signature(self) -> str:
        """As written, from the return type on."""

    @property
    def comment(self) -> str:
        """The comment above it."""

    @property
    def line(self) -> int:
        """Line of the source where it begins, from 1 on."""

    @property
    def max_total_threads(self) -> int:
        """Of [[max_total_threads_per_threadgroup(n)]], or 0."""

    @property
    def user_annotation(self) -> str:
        """Of [[user_annotation("text")]], or empty."""

    @property
    def arguments(self) -> list[Argument]:
        """What it takes, in order."""

    @property
    def constants(self) -> list[str]:
        """Names of the function constants it uses."""

    def __repr__(self) -> str: ...

class LogLevel(enum.IntEnum):
    """How serious a message is."""

    Undefined = 0

    Debug = 1

    Info = 2

    Notice = 3

    Error = 4

    Fault = 5

class LogStateDescriptor:
    """What a log state is to be."""

    def __init__(self) -> None: ...

    @property
    def level(self) -> LogLevel:
        """Messages below it are not written."""

    @level.setter
    def level(self, arg: LogLevel, /) -> None: ...

    @property
    def buffer_size(self) -> int:
        """Bytes of messages that a dispatch has room for."""

    @buffer_size.setter
    def buffer_size(self, arg: int, /) -> None: ...

class LogState:
    """Where kernels' messages go."""

    def add_log_handler(self, handler: Callable[[str, str, LogLevel, str], object]) -> None:
        """
        Call `handler(subsystem, category, level, message)` from another thread when a command buffer has run.
        """

class CommandQueueDescriptor:
    """What a queue is to be."""

    def __init__(self) -> None: ...

    @property
    def max_command_buffer_count(self) -> int:
        """
        How many command buffers may be on their way at once; the next one is waited for. 64 unless set.
        """

    @max_command_buffer_count.setter
    def max_command_buffer_count(self, arg: int, /) -> None: ...

    @property
    def log_state(self) -> LogState | None:
        """For command buffers that have none of their own."""

    @log_state.setter
    def log_state(self, value: LogState | None) -> None: ...

class CommandBufferDescriptor:
    """What a command buffer is to be."""

    def __init__(self) -> None: ...

    @property
    def retained_references(self) -> bool:
        """
        What a Metal program says; what commands of Python use lives until they have ended, also where it is False.
        """

    @retained_references.setter
    def retained_references(self, arg: bool, /) -> None: ...

    @property
    def log_state(self) -> LogState | None:
        """None: the queue's."""

    @log_state.setter
    def log_state(self, value: LogState | None) -> None: ...

class Device:
    """A processor that runs Metal: a GPU, or the software device."""

    @property
    def name(self) -> str:
        """Its name, for people."""

    @property
    def registry_id(self) -> int:
        """A number that tells it from other devices."""

    @property
    def is_low_power(self) -> bool:
        """Whether it is the one of several GPUs that takes less power."""

    @property
    def is_headless(self) -> bool:
        """Whether it drives no display."""

    @property
    def is_removable(self) -> bool:
        """Whether it is in a box of its own that can be unplugged."""

    @property
    def has_unified_memory(self) -> bool:
        """Whether it and the processor share one memory."""

    @property
    def is_software(self) -> bool:
        """Whether kernels run on the processor."""

    @property
    def max_threads_per_threadgroup(self) -> Size:
        """
        The largest threadgroup in each dimension; their product is limited besides, by the pipeline.
        """

    @property
    def max_threadgroup_memory_length(self) -> int:
        """Bytes of threadgroup memory that one threadgroup can have."""

    @property
    def max_buffer_length(self) -> int:
        """Bytes of the longest buffer."""

    @property
    def current_allocated_size(self) -> int:
        """Bytes of memory in use."""

    @property
    def recommended_max_working_set_size(self) -> int:
        """Bytes that can be in use at once without the device becoming slow."""

    @property
    def read_write_texture_support(self) -> ReadWriteTextureTier:
        """
        Which formats `access::read_write` textures may have: TierNone, Tier1 or Tier2.
        """

    def supports_family(self, family: GPUFamily) -> bool:
        """Whether it has all that the family promises."""

    def supports_vertex_amplification_count(self, count: int) -> bool:
        """Whether a draw can run each vertex so many times."""

    def supports_texture_sample_count(self, count: int) -> bool:
        """Whether textures may have so many samples."""

    def supports_rasterization_rate_map(self, layer_count: int) -> bool:
        """Whether there are rate maps of so many layers."""

    @property
    def is_depth24_stencil8_pixel_format_supported(self) -> bool:
        """Whether textures may have depths of 24 bits."""

    @property
    def are_programmable_sample_positions_supported(self) -> bool:
        """Whether passes may say where samples lie."""

    @property
    def supports_function_pointers(self) -> bool:
        """Whether kernels can call functions through tables."""

    @property
    def supports_function_pointers_from_render(self) -> bool:
        """Whether vertex and fragment functions can."""

    @property
    def counter_sets(self) -> list[CounterSet]:
        """What counter sample buffers can hold."""

    def supports_counter_sampling(self, sampling_point: CounterSamplingPoint) -> bool:
        """Whether commands can take samples there."""

    def sample_timestamps(self) -> tuple[int, int]:
        """
        The time now on the clocks of the processor and of the device's counters, in nanoseconds.
        """

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

    def __repr__(self) -> str: ...

    @overload
    def new_command_queue(self, max_command_buffer_count: int = 0) -> CommandQueue:
        """
        A queue; 0: as many unfinished command buffers as Metal allows by default.
        """

    @overload
    def new_command_queue(self, descriptor: CommandQueueDescriptor) -> CommandQueue: ...

    def new_log_state(self, descriptor: LogStateDescriptor) -> LogState:
        """
        Where kernels' messages go. Raises ValidationError when its buffer is smaller than 1,024 bytes.
        """

    def new_buffer(self, length: int, options: int = 0) -> Buffer:
        """Memory of `length` bytes; contents undefined."""

    def new_buffer_with_data(self, data: _Buffer, length: int | None = None, options: int = 0) -> Buffer:
        """A buffer with a copy of the bytes."""

    def new_buffer_no_copy(self, data: _Buffer, options: int = 0) -> Buffer:
        """
        A buffer over the object's own memory, which must be writable and whole pages.
        """

    def new_texture(self, descriptor: TextureDescriptor) -> Texture:
        """A texture; contents undefined."""

    def new_heap(self, descriptor: HeapDescriptor) -> Heap:
        """A block of memory that buffers and textures are made in."""

    def heap_buffer_size_and_align(self, length: int, options: int = 0) -> tuple[int, int]:
        """
        Bytes that a buffer takes of a heap, and what its offset is a multiple of.
        """

    def heap_texture_size_and_align(self, descriptor: TextureDescriptor) -> tuple[int, int]:
        """The same for a texture."""

    def minimum_linear_texture_alignment(self, pixel_format: PixelFormat) -> int:
        """
        What offset and bytes per row of a texture on a buffer are multiples of.
        """

    def minimum_texture_buffer_alignment(self, pixel_format: PixelFormat) -> int:
        """The same for a texture buffer."""

    def new_counter_sample_buffer(self, descriptor: CounterSampleBufferDescriptor) -> CounterSampleBuffer:
        """
        Room for samples of counters. Raises ValidationError when the device has no such samples.
        """

    def new_sampler_state(self, descriptor: SamplerDescriptor) -> SamplerState:
        """A sampler with these options."""

    def new_rasterization_rate_map(self, descriptor: RasterizationRateMapDescriptor) -> RasterizationRateMap:
        """A map from the screen to a smaller image, and back."""

    def new_indirect_command_buffer(self, descriptor: IndirectCommandBufferDescriptor, max_count: int, options: int) -> IndirectCommandBuffer:
        """Commands in memory, all empty."""

    def new_library_with_source(self, source: str, options: CompileOptions | None = None) -> Library:
        """Compile Metal source. Raises CompileError with the compiler's text."""

    @overload
    def new_compute_pipeline_state(self, function: Function) -> ComputePipelineState:
        """Make a kernel ready to run. Raises PipelineError."""

    @overload
    def new_compute_pipeline_state(self, descriptor: ComputePipelineDescriptor, options: int = 0) -> ComputePipelineState:
        """The same; `options`: flags of PipelineOption."""

    def new_render_pipeline_state(self, descriptor: RenderPipelineDescriptor, options: int = 0) -> RenderPipelineState:
        """
        Make a vertex and a fragment function ready to draw. `options`: flags of PipelineOption. Raises PipelineError.
        """

    def new_depth_stencil_state(self, descriptor: DepthStencilDescriptor) -> DepthStencilState:
        """Tests of depth and stencil, ready to be set."""

    def new_argument_encoder(self, arguments: Sequence[ArgumentDescriptor]) -> ArgumentEncoder:
        """An encoder of an argument buffer with these members."""

    def new_binary_archive(self, descriptor: BinaryArchiveDescriptor) -> BinaryArchive:
        """
        An archive of machine code, empty or read from the descriptor's file. Raises ResourceError.
        """

    def new_fence(self) -> Fence:
        """A fence, which orders the encoders of one queue."""

    def new_event(self) -> Event:
        """An event, which orders command buffers of this device's queues."""

    @overload
    def new_shared_event(self) -> SharedEvent: ...

    @overload
    def new_shared_event(self, handle: SharedEventHandle) -> SharedEvent:
        """The event that a handle stands for."""

def create_system_default_device() -> Device:
    """
    The device that Metal prefers. Raises ResourceError when there is none.
    """

def copy_all_devices() -> list[Device]:
    """All devices."""

class Resource:
    """What buffers and textures share."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def storage_mode(self) -> StorageMode:
        """Who sees its memory: Shared, Managed, Private or Memoryless."""

    @property
    def cpu_cache_mode(self) -> CPUCacheMode:
        """
        How the processor caches its memory: as usual, or for writing only (WriteCombined).
        """

    @property
    def hazard_tracking_mode(self) -> HazardTrackingMode:
        """
        Whether Metal orders commands that touch it (Tracked), or the program does (Untracked).
        """

    @property
    def resource_options(self) -> int:
        """
        Storage, cache and tracking as one number: flags of the Resource... constants.
        """

    @property
    def allocated_size(self) -> int:
        """Bytes of memory it takes."""

    @property
    def heap(self) -> Heap | None:
        """The heap it lies in."""

    @property
    def heap_offset(self) -> int:
        """Where in the heap it begins."""

    @property
    def is_aliasable(self) -> bool:
        """Whether the heap may give its bytes to others."""

    def make_aliasable(self) -> None:
        """
        Let the heap give its bytes to others. It goes on seeing them; there is no way back.
        """

    def set_purgeable_state(self, state: PurgeableState) -> PurgeableState:
        """Say whether Metal may drop the contents; returns the state before."""

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

ResourceCPUCacheModeDefaultCache: int = 0

ResourceCPUCacheModeWriteCombined: int = 1

ResourceStorageModeShared: int = 0

ResourceStorageModeManaged: int = 16

ResourceStorageModePrivate: int = 32

ResourceStorageModeMemoryless: int = 48

ResourceHazardTrackingModeUntracked: int = 256

ResourceHazardTrackingModeTracked: int = 512

page_size: int = 4096

class Buffer(Resource):
    """Memory of the device. Has the buffer protocol unless private."""

    @property
    def length(self) -> int:
        """Its size in bytes."""

    @property
    def size_bytes(self) -> int:
        """The same, under mtlpy's name."""

    @property
    def gpu_address(self) -> int:
        """
        Address at which kernels see the first byte; an argument buffer holds it as a pointer.
        """

    @property
    def data_ptr(self) -> int:
        """Address of the bytes; 0 when private."""

    def contents(self) -> numpy.typing.NDArray[numpy.uint8]:
        """The bytes themselves, no copy; writable."""

    @overload
    def did_modify_range(self, offset: int, length: int) -> None:
        """Tell Metal that the CPU changed these bytes of a managed buffer."""

    @overload
    def did_modify_range(self, range: Range | Sequence[int]) -> None: ...

    def copy_from(self, data: _Buffer, offset: int = 0) -> None:
        """Copy bytes in, from byte `offset` on."""

    def copy_to(self, out: _Buffer, offset: int = 0) -> None:
        """Copy bytes out, from byte `offset` on, as many as `out` holds."""

    def new_texture(self, descriptor: TextureDescriptor, offset: int, bytes_per_row: int) -> Texture:
        """Make a texture whose texels are this buffer's bytes."""

    def __len__(self) -> int: ...

    def __repr__(self) -> str: ...

class TextureSwizzleChannels:
    """What a texture shows as its red, green, blue and alpha."""

    def __init__(self, red: TextureSwizzle = TextureSwizzle.Red, green: TextureSwizzle = TextureSwizzle.Green, blue: TextureSwizzle = TextureSwizzle.Blue, alpha: TextureSwizzle = TextureSwizzle.Alpha) -> None: ...

    @property
    def red(self) -> TextureSwizzle:
        """What is read as red: a channel, Zero or One."""

    @red.setter
    def red(self, arg: TextureSwizzle, /) -> None: ...

    @property
    def green(self) -> TextureSwizzle:
        """What is read as green: a channel, Zero or One."""

    @green.setter
    def green(self, arg: TextureSwizzle, /) -> None: ...

    @property
    def blue(self) -> TextureSwizzle:
        """What is read as blue: a channel, Zero or One."""

    @blue.setter
    def blue(self, arg: TextureSwizzle, /) -> None: ...

    @property
    def alpha(self) -> TextureSwizzle:
        """What is read as alpha: a channel, Zero or One."""

    @alpha.setter
    def alpha(self, arg: TextureSwizzle, /) -> None: ...

    def __eq__(self, other: object) -> bool: ...

    def __repr__(self) -> str: ...

class TextureDescriptor:
    """What a texture is to be."""

    def __init__(self) -> None: ...

    @overload
    @staticmethod
    def texture2d_descriptor(pixel_format: PixelFormat, width: int, height: int, mipmapped: bool = False) -> TextureDescriptor:
        """Of a 2D texture, with all smaller levels if `mipmapped`."""

    @overload
    @staticmethod
    def texture2d_descriptor(format: PixelFormat, width: int, height: int, mipmapped: bool = False) -> TextureDescriptor: ...

    @staticmethod
    def texture_cube_descriptor(pixel_format: PixelFormat, size: int, mipmapped: bool = False) -> TextureDescriptor:
        """Of a cube with faces of `size` x `size`."""

    @staticmethod
    def texture_buffer_descriptor(pixel_format: PixelFormat, width: int, resource_options: int = 0, usage: int = 1) -> TextureDescriptor:
        """Of one row of `width` texels."""

    @property
    def texture_type(self) -> TextureType:
        """
        Its shape: 1D, 2D, 3D, a cube, an array of one of these, or multisampled. Type2D unless set.
        """

    @texture_type.setter
    def texture_type(self, arg: TextureType, /) -> None: ...

    @property
    def swizzle(self) -> TextureSwizzleChannels:
        """What kernels read as red, green, blue and alpha."""

    @swizzle.setter
    def swizzle(self, arg: TextureSwizzleChannels, /) -> None: ...

    @property
    def pixel_format(self) -> PixelFormat:
        """How a texel is stored. RGBA8Unorm unless set."""

    @pixel_format.setter
    def pixel_format(self, arg: PixelFormat, /) -> None: ...

    @property
    def storage_mode(self) -> StorageMode:
        """
        Who sees its memory: Shared, Managed, Private or Memoryless. Shared unless set.
        """

    @storage_mode.setter
    def storage_mode(self, arg: StorageMode, /) -> None: ...

    @property
    def cpu_cache_mode(self) -> CPUCacheMode:
        """How the processor caches its memory. DefaultCache unless set."""

    @cpu_cache_mode.setter
    def cpu_cache_mode(self, arg: CPUCacheMode, /) -> None: ...

    @property
    def hazard_tracking_mode(self) -> HazardTrackingMode:
        """
        Whether Metal orders commands that touch it; Default: it does, but in a heap.
        """

    @hazard_tracking_mode.setter
    def hazard_tracking_mode(self, arg: HazardTrackingMode, /) -> None: ...

    @property
    def allow_gpu_optimized_contents(self) -> bool:
        """
        Whether the device may store it in a form that the processor reads slower. True unless set.
        """

    @allow_gpu_optimized_contents.setter
    def allow_gpu_optimized_contents(self, arg: bool, /) -> None: ...

    @property
    def width(self) -> int:
        """Texels in a row. 1 unless set."""

    @width.setter
    def width(self, arg: int, /) -> None: ...

    @property
    def height(self) -> int:
        """Rows. 1 unless set."""

    @height.setter
    def height(self, arg: int, /) -> None: ...

    @property
    def depth(self) -> int:
        """Planes of a 3D texture. 1 unless set."""

    @depth.setter
    def depth(self, arg: int, /) -> None: ...

    @property
    def mipmap_level_count(self) -> int:
        """Levels, each half as large as the one before. 1 unless set."""

    @mipmap_level_count.setter
    def mipmap_level_count(self, arg: int, /) -> None: ...

    @property
    def sample_count(self) -> int:
        """Samples of a pixel, for multisampled types. 1 unless set."""

    @sample_count.setter
    def sample_count(self, arg: int, /) -> None: ...

    @property
    def array_length(self) -> int:
        """Elements of an array. 1 unless set."""

    @array_length.setter
    def array_length(self, arg: int, /) -> None: ...

    @property
    def resource_options(self) -> int:
        """
        Storage, cache and tracking as one number: flags of the Resource... constants.
        """

    @resource_options.setter
    def resource_options(self, arg: int, /) -> None: ...

    @property
    def usage(self) -> int:
        """
        What it will be used for: flags of TextureUsage. Unknown, any use, unless set.
        """

    @usage.setter
    def usage(self, arg: int, /) -> None: ...

class Texture(Resource):
    """An image of the device."""

    @property
    def texture_type(self) -> TextureType:
        """
        Its shape: 1D, 2D, 3D, a cube, an array of one of these, multisampled, or the memory of a buffer.
        """

    @property
    def pixel_format(self) -> PixelFormat:
        """How a texel is stored."""

    @property
    def swizzle(self) -> TextureSwizzleChannels:
        """What kernels read as red, green, blue and alpha."""

    @property
    def usage(self) -> int:
        """Flags of TextureUsage."""

    @property
    def width(self) -> int:
        """Texels in a row of the largest level."""

    @property
    def height(self) -> int:
        """Rows of the largest level; 1 for 1D."""

    @property
    def depth(self) -> int:
        """Planes of the largest level; 1 but for 3D."""

    @property
    def mipmap_level_count(self) -> int:
        """Levels, each half as large as the one before."""

    @property
    def sample_count(self) -> int:
        """Samples of a pixel; 1 but for multisampled textures."""

    @property
    def array_length(self) -> int:
        """Elements of an array; else 1."""

    @property
    def bytes_per_pixel(self) -> int:
        """0 for compressed formats."""

    @property
    def buffer(self) -> Buffer | None:
        """The buffer whose memory the texture is."""

    def new_texture_view(self, pixel_format: PixelFormat, texture_type: TextureType | None = None, level_range: Range | Sequence[int] | None = None, slice_range: Range | Sequence[int] | None = None, swizzle: TextureSwizzleChannels | None = None) -> Texture:
        """
        See the same memory as texels of another format and shape; None: what this texture has.
        """

    @property
    def parent_texture(self) -> Texture | None:
        """The texture that this one is a view of."""

    @property
    def parent_relative_level(self) -> int:
        """Of a view: the level of its parent that is its first. 0 of others."""

    @property
    def parent_relative_slice(self) -> int:
        """Of a view: the slice of its parent that is its first. 0 of others."""

    def __repr__(self) -> str: ...

    @property
    def gpu_resource_id(self) -> int:
        """What an argument buffer holds for it."""

    @overload
    def replace_region(self, region: Region | tuple[Origin, Size], level: int, slice: int, data: _Buffer, bytes_per_row: int, bytes_per_image: int = 0) -> None:
        """Copy texels into a part of the texture."""

    @overload
    def replace_region(self, region_origin: Origin | int | Sequence[int], region_size: Size | int | Sequence[int], mipmap_level: int, data: _Buffer, bytes_per_row: int) -> None: ...

    @overload
    def replace_region(self, data: _Buffer, bytes_per_row: int, x: int, y: int, width: int, height: int, level: int = 0) -> None: ...

    @overload
    def get_bytes(self, data: _Buffer, bytes_per_row: int, bytes_per_image: int, region: Region | tuple[Origin, Size], level: int, slice: int) -> None:
        """Copy texels out of a part of the texture."""

    @overload
    def get_bytes(self, data: _Buffer, bytes_per_row: int, region_origin: Origin | int | Sequence[int], region_size: Size | int | Sequence[int], mipmap_level: int) -> None: ...

    def upload(self, data: _Buffer, *, level: int = 0, slice: int = 0, region: Region | tuple[Origin, Size] | None = None) -> None:
        """
        Copy texels in; `data` has exactly the bytes of the region, or of the level.
        """

    def download(self, out: _Buffer, *, level: int = 0, slice: int = 0, region: Region | tuple[Origin, Size] | None = None) -> None:
        """
        Copy texels out; `out` has exactly the bytes of the region, or of the level.
        """

def pixel_format_bytes(format: PixelFormat) -> int:
    """Bytes of a texel; 0 for compressed and unknown formats."""

class HeapDescriptor:
    """What a heap is to be; private storage unless told otherwise."""

    def __init__(self) -> None: ...

    @staticmethod
    def heap_descriptor() -> HeapDescriptor:
        """A descriptor as by default."""

    @property
    def size(self) -> int:
        """Bytes of the block of memory; must be set."""

    @size.setter
    def size(self, arg: int, /) -> None: ...

    @property
    def type(self) -> HeapType:
        """
        Automatic: the heap finds places for its resources; Placement: the program does. Automatic unless set.
        """

    @type.setter
    def type(self, arg: HeapType, /) -> None: ...

    @property
    def storage_mode(self) -> StorageMode:
        """
        Who sees the memory of its resources: Shared or Private. Private unless set.
        """

    @storage_mode.setter
    def storage_mode(self, arg: StorageMode, /) -> None: ...

    @property
    def cpu_cache_mode(self) -> CPUCacheMode:
        """How the processor caches its memory; DefaultCache unless set."""

    @cpu_cache_mode.setter
    def cpu_cache_mode(self, arg: CPUCacheMode, /) -> None: ...

    @property
    def hazard_tracking_mode(self) -> HazardTrackingMode:
        """
        Whether Metal orders commands that touch its resources; Default: it does not, as Untracked.
        """

    @hazard_tracking_mode.setter
    def hazard_tracking_mode(self, arg: HazardTrackingMode, /) -> None: ...

    @property
    def resource_options(self) -> int:
        """
        Storage, cache and tracking as one number: flags of the Resource... constants.
        """

    @resource_options.setter
    def resource_options(self, arg: int, /) -> None: ...

class Heap:
    """A block of memory that buffers and textures are made in."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def type(self) -> HeapType:
        """
        Automatic: the heap finds places for its resources; Placement: the program does.
        """

    @property
    def storage_mode(self) -> StorageMode:
        """Who sees the memory of its resources: Shared or Private."""

    @property
    def cpu_cache_mode(self) -> CPUCacheMode:
        """
        How the processor caches its memory: as usual, or for writing only (WriteCombined).
        """

    @property
    def hazard_tracking_mode(self) -> HazardTrackingMode:
        """
        Whether Metal orders commands that touch its resources, or the program does; heaps leave it to the program.
        """

    @property
    def resource_options(self) -> int:
        """
        Storage, cache and tracking as one number: flags of the Resource... constants.
        """

    @property
    def size(self) -> int:
        """Bytes of the block: what was asked for, or a little more."""

    @property
    def used_size(self) -> int:
        """Bytes that buffers and textures have of it."""

    @property
    def current_allocated_size(self) -> int:
        """Bytes of memory it takes."""

    def max_available_size(self, alignment: int = 0) -> int:
        """
        Bytes of the largest free range that begins at a multiple of `alignment`.
        """

    def new_buffer(self, length: int, options: int | None = None, offset: int | None = None) -> Buffer:
        """
        A buffer in the heap, with the heap's options; `offset` where the heap is one for placement. Raises ResourceError when there is no room.
        """

    def new_texture(self, descriptor: TextureDescriptor, offset: int | None = None) -> Texture:
        """
        A texture in the heap; the descriptor's storage mode must be the heap's.
        """

    def set_purgeable_state(self, state: PurgeableState) -> PurgeableState:
        """
        Say whether Metal may drop the contents of all that is in it; returns the state before.
        """

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

    def __repr__(self) -> str: ...

class SamplerDescriptor:
    """How a sampler reads."""

    def __init__(self) -> None: ...

    @staticmethod
    def sampler_descriptor() -> SamplerDescriptor:
        """An empty descriptor, as the constructor makes."""

    @property
    def min_filter(self) -> SamplerMinMagFilter:
        """
        How texels become a value where the texture is made smaller: the nearest one, or four blended. Nearest unless set.
        """

    @min_filter.setter
    def min_filter(self, arg: SamplerMinMagFilter, /) -> None: ...

    @property
    def mag_filter(self) -> SamplerMinMagFilter:
        """The same where it is made larger. Nearest unless set."""

    @mag_filter.setter
    def mag_filter(self, arg: SamplerMinMagFilter, /) -> None: ...

    @property
    def mip_filter(self) -> SamplerMipFilter:
        """
        Which mip levels are read: the largest, the nearest in size, or two blended. NotMipmapped unless set.
        """

    @mip_filter.setter
    def mip_filter(self, arg: SamplerMipFilter, /) -> None: ...

    @property
    def s_address_mode(self) -> SamplerAddressMode:
        """What lies left and right of the texture. ClampToEdge unless set."""

    @s_address_mode.setter
    def s_address_mode(self, arg: SamplerAddressMode, /) -> None: ...

    @property
    def t_address_mode(self) -> SamplerAddressMode:
        """What lies above and below it. ClampToEdge unless set."""

    @t_address_mode.setter
    def t_address_mode(self, arg: SamplerAddressMode, /) -> None: ...

    @property
    def r_address_mode(self) -> SamplerAddressMode:
        """What lies before and behind a 3D texture. ClampToEdge unless set."""

    @r_address_mode.setter
    def r_address_mode(self, arg: SamplerAddressMode, /) -> None: ...

    @property
    def border_color(self) -> SamplerBorderColor:
        """
        The colour outside, for ClampToBorderColor. TransparentBlack unless set.
        """

    @border_color.setter
    def border_color(self, arg: SamplerBorderColor, /) -> None: ...

    @property
    def compare_function(self) -> CompareFunction:
        """
        How `sample_compare` compares the reference with the depth it reads. Never unless set.
        """

    @compare_function.setter
    def compare_function(self, arg: CompareFunction, /) -> None: ...

    @property
    def normalized_coordinates(self) -> bool:
        """
        Whether coordinates go from 0 to 1 across the texture (True unless set), or count texels.
        """

    @normalized_coordinates.setter
    def normalized_coordinates(self, arg: bool, /) -> None: ...

    @property
    def reduction_mode(self) -> SamplerReductionMode:
        """
        What becomes of the texels that a filter reads: their weighted average, the least or the greatest of them.
        """

    @reduction_mode.setter
    def reduction_mode(self, arg: SamplerReductionMode, /) -> None: ...

    @property
    def lod_min_clamp(self) -> float:
        """The lowest level of detail that is read. 0 unless set."""

    @lod_min_clamp.setter
    def lod_min_clamp(self, arg: float, /) -> None: ...

    @property
    def lod_max_clamp(self) -> float:
        """The highest level of detail that is read. No limit unless set."""

    @lod_max_clamp.setter
    def lod_max_clamp(self, arg: float, /) -> None: ...

    @property
    def lod_average(self) -> bool:
        """
        Whether the level of detail may be computed for four pixels at once. False unless set.
        """

    @lod_average.setter
    def lod_average(self, arg: bool, /) -> None: ...

    @property
    def support_argument_buffers(self) -> bool:
        """
        Whether an argument buffer can hold it, so that it has a `gpu_resource_id`. False unless set.
        """

    @support_argument_buffers.setter
    def support_argument_buffers(self, arg: bool, /) -> None: ...

    @property
    def lod_bias(self) -> float:
        """Added to the level of detail. 0 unless set."""

    @lod_bias.setter
    def lod_bias(self, arg: float, /) -> None: ...

    @property
    def max_anisotropy(self) -> int:
        """
        How many samples along the direction in which a texture is squeezed may be blended: 1, unless set, to 16.
        """

    @max_anisotropy.setter
    def max_anisotropy(self, arg: int, /) -> None: ...

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

class SamplerState:
    """How a kernel reads a texture."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """The name that its descriptor gave it."""

    @property
    def gpu_resource_id(self) -> int:
        """What an argument buffer holds for it."""

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

    def __repr__(self) -> str: ...

class RasterizationRateSampleArray:
    """The rates of one axis of a layer."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> float: ...

    def __setitem__(self, index: int, rate: float) -> None: ...

class RasterizationRateLayerDescriptor:
    """
    How finely a layer is rasterized: physical pixels per pixel of the screen, 0 to 1, at places equally far from one another, the first and the last at the edges.
    """

    def __init__(self, sample_count: Size | int | Sequence[int], horizontal: Sequence[float] | None = None, vertical: Sequence[float] | None = None) -> None: ...

    @property
    def sample_count(self) -> Size:
        """How many rates the columns and the rows have. The depth means nothing."""

    @sample_count.setter
    def sample_count(self, arg: Size | int | Sequence[int], /) -> None: ...

    @property
    def max_sample_count(self) -> Size:
        """What it was made with."""

    @property
    def horizontal(self) -> RasterizationRateSampleArray:
        """The columns' rates."""

    @property
    def vertical(self) -> RasterizationRateSampleArray:
        """The rows' rates."""

class RasterizationRateLayerArray:
    """The layers of a map."""

    def __getitem__(self, index: int) -> RasterizationRateLayerDescriptor: ...

    def __setitem__(self, index: int, layer: RasterizationRateLayerDescriptor | None) -> None: ...

class RasterizationRateMapDescriptor:
    """What a rate map is made of."""

    def __init__(self) -> None: ...

    @staticmethod
    def rasterization_rate_map_descriptor(screen_size: Size | int | Sequence[int], layers: Sequence[RasterizationRateLayerDescriptor] = []) -> RasterizationRateMapDescriptor:
        """A descriptor of a screen's pixels and its layers."""

    @property
    def screen_size(self) -> Size:
        """Pixels. The depth means nothing."""

    @screen_size.setter
    def screen_size(self, arg: Size | int | Sequence[int], /) -> None: ...

    @property
    def layers(self) -> RasterizationRateLayerArray:
        """The layers, by index."""

    @property
    def layer_count(self) -> int:
        """How many layers there are before the first index without one."""

    def layer(self, layer_index: int) -> RasterizationRateLayerDescriptor:
        """The layer of that index, or None."""

    def set_layer(self, layer: RasterizationRateLayerDescriptor | None, layer_index: int) -> None:
        """Put a layer there; None takes it away."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

class RasterizationRateMap:
    """
    Where each pixel of the screen lies in a smaller image that is finer in some parts than in others.
    """

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """The name that its descriptor gave it."""

    @property
    def layer_count(self) -> int:
        """How many layers it has."""

    @property
    def screen_size(self) -> Size:
        """Pixels of the screen."""

    @property
    def physical_granularity(self) -> Size:
        """Physical pixels after which the rate may change."""

    @property
    def parameter_buffer_size_and_align(self) -> tuple[int, int]:
        """
        Bytes that the map takes of a buffer, and what its offset is a multiple of.
        """

    def copy_parameter_data_to_buffer(self, buffer: Buffer, offset: int = 0) -> None:
        """
        Put the map into a shared buffer, where functions read it as rasterization_rate_map_data.
        """

    def physical_size(self, layer_index: int = 0) -> Size:
        """Pixels of the smaller image."""

    def map_screen_to_physical_coordinates(self, screen_coordinates: tuple[float, float], layer_index: int = 0) -> tuple[float, float]:
        """Where a place of the screen lies in the image."""

    def map_physical_to_screen_coordinates(self, physical_coordinates: tuple[float, float], layer_index: int = 0) -> tuple[float, float]:
        """Where a place of the image lies on the screen."""

class Fence:
    """Orders encoders of one queue that use untracked resources."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

class Event:
    """
    A number that grows, by which command buffers of one device wait for each other.
    """

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

class SharedEventHandle:
    """
    Stands for a shared event; new_shared_event() makes the event of it again.
    """

    @property
    def label(self) -> str:
        """Label of the event."""

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

class SharedEvent(Event):
    """An event that the CPU may read, set and wait for."""

    @property
    def signaled_value(self) -> int:
        """
        The value it has come to. Setting it signals all who wait for that value or a smaller one.
        """

    @signaled_value.setter
    def signaled_value(self, arg: int, /) -> None: ...

    def wait_until_signaled_value(self, value: int, timeout_ms: int | None = None) -> bool:
        """
        Wait until the event has reached `value`, at most so many milliseconds; whether it has.
        """

    def new_shared_event_handle(self) -> SharedEventHandle:
        """What stands for this event elsewhere."""

    def notify(self, value: int, callback: Callable[[SharedEvent, int], object]) -> None:
        """
        Call `callback(self, value)` with the value reached, from another thread, once that is `value` or more.
        """

class Drawable:
    """Something that can be shown on a display, once."""

    @property
    def drawable_id(self) -> int:
        """A number that tells it from the other drawables of its layer."""

    @property
    def presented_time(self) -> float:
        """When it was shown, in seconds; 0 before."""

    def present(self) -> None:
        """Show it as soon as the committed work that draws it has ended."""

    def present_after_minimum_duration(self, duration: float) -> None:
        """Show it when what is shown before has been so for `duration` seconds."""

    def present_at_time(self, time: float) -> None:
        """
        Show it at a time, in seconds of the clock of `gpu_start_time`, or soon after.
        """

    def add_presented_handler(self, callback: Callable[[MetalDrawable], object]) -> None:
        """Call `callback(self)` when it has been shown, from another thread."""

class MetalDrawable(Drawable):
    """A layer's next picture."""

    @property
    def texture(self) -> Texture:
        """What to draw into."""

    @property
    def layer(self) -> MetalLayer:
        """The layer that shows it."""

    def __repr__(self) -> str: ...

class MetalLayer:
    """Where pictures are presented."""

    @staticmethod
    def layer() -> MetalLayer:
        """A new layer."""

    @property
    def device(self) -> Device | None:
        """
        The device that makes its textures; must be set before `next_drawable`.
        """

    @device.setter
    def device(self, device: Device | None) -> None: ...

    @property
    def pixel_format(self) -> PixelFormat:
        """Format of its textures; BGRA8Unorm unless set."""

    @pixel_format.setter
    def pixel_format(self, arg: PixelFormat, /) -> None: ...

    @property
    def framebuffer_only(self) -> bool:
        """Whether the textures can be rendered to and nothing else."""

    @framebuffer_only.setter
    def framebuffer_only(self, arg: bool, /) -> None: ...

    @property
    def drawable_size(self) -> tuple[float, float]:
        """Width and height in pixels."""

    @drawable_size.setter
    def drawable_size(self, arg: tuple[float, float], /) -> None: ...

    @property
    def maximum_drawable_count(self) -> int:
        """How many drawables there are at a time: 2 or 3."""

    @maximum_drawable_count.setter
    def maximum_drawable_count(self, arg: int, /) -> None: ...

    @property
    def display_sync_enabled(self) -> bool:
        """Whether the display changes at its own pace only."""

    @display_sync_enabled.setter
    def display_sync_enabled(self, arg: bool, /) -> None: ...

    @property
    def colorspace(self) -> str | None:
        """'srgb', 'display_p3', 'linear_srgb', 'extended_linear_srgb', or None."""

    @colorspace.setter
    def colorspace(self, name: str | None) -> None: ...

    @property
    def allows_next_drawable_timeout(self) -> bool:
        """Whether next_drawable() gives up after a second."""

    @allows_next_drawable_timeout.setter
    def allows_next_drawable_timeout(self, arg: bool, /) -> None: ...

    def next_drawable(self) -> MetalDrawable | None:
        """
        Wait for a drawable, by default no longer than a second; None after that, and without device or size.
        """

    def __repr__(self) -> str: ...

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

def shown_drawable(layer: MetalLayer) -> MetalDrawable | None:
    """
    What the layer's display shows, kept as it is by the result; None before the first, and on a Mac.
    """

def attach_layer(layer: MetalLayer, view: int, gravity: str, filter: str, extended_range: bool) -> None:
    """Put a layer over an NSView, by its address."""

def lay_out_layer(layer: MetalLayer, view: int) -> tuple[int, int]:
    """Fit the layer to its NSView; the view's size in pixels."""

def detach_layer(layer: MetalLayer) -> None:
    """Take a layer away from its NSView."""

IndirectCommandTypeDraw: int = 1

IndirectCommandTypeDrawIndexed: int = 2

IndirectCommandTypeDrawPatches: int = 4

IndirectCommandTypeDrawIndexedPatches: int = 8

IndirectCommandTypeConcurrentDispatch: int = 32

IndirectCommandTypeConcurrentDispatchThreads: int = 64

class IndirectCommandBufferDescriptor:
    """Which commands a buffer holds, and what each has room for."""

    def __init__(self) -> None: ...

    @staticmethod
    def indirect_command_buffer_descriptor() -> IndirectCommandBufferDescriptor:
        """A new descriptor: commands of no type, with room for no buffers."""

    @property
    def command_types(self) -> int:
        """A sum of IndirectCommandType...: draws, or concurrent dispatches."""

    @command_types.setter
    def command_types(self, arg: int, /) -> None: ...

    @property
    def inherit_buffers(self) -> bool:
        """
        Whether commands use the buffers that are set on the encoder which executes them.
        """

    @inherit_buffers.setter
    def inherit_buffers(self, arg: bool, /) -> None: ...

    @property
    def inherit_pipeline_state(self) -> bool:
        """Whether commands use the pipeline state that is set there."""

    @inherit_pipeline_state.setter
    def inherit_pipeline_state(self, arg: bool, /) -> None: ...

    @property
    def max_kernel_buffer_bind_count(self) -> int:
        """Buffers that a command can set for its kernel."""

    @max_kernel_buffer_bind_count.setter
    def max_kernel_buffer_bind_count(self, arg: int, /) -> None: ...

    @property
    def max_kernel_threadgroup_memory_bind_count(self) -> int:
        """Lengths of threadgroup memory that a command can set."""

    @max_kernel_threadgroup_memory_bind_count.setter
    def max_kernel_threadgroup_memory_bind_count(self, arg: int, /) -> None: ...

    @property
    def max_vertex_buffer_bind_count(self) -> int:
        """Buffers that a command can set for a vertex function."""

    @max_vertex_buffer_bind_count.setter
    def max_vertex_buffer_bind_count(self, arg: int, /) -> None: ...

    @property
    def max_fragment_buffer_bind_count(self) -> int:
        """Buffers that a command can set for a fragment function."""

    @max_fragment_buffer_bind_count.setter
    def max_fragment_buffer_bind_count(self, arg: int, /) -> None: ...

class IndirectComputeCommand:
    """A command that dispatches a kernel."""

    def set_compute_pipeline_state(self, state: ComputePipelineState) -> None:
        """The kernel that the command runs."""

    def set_kernel_buffer(self, buffer: Buffer, offset: int, index: int) -> None:
        """Give the kernel's argument `index` a buffer from byte `offset`."""

    def set_threadgroup_memory_length(self, length: int, index: int) -> None:
        """
        Bytes of threadgroup memory for the kernel's threadgroup argument `index`.
        """

    def set_stage_in_region(self, region: Region | tuple[Origin, Size]) -> None:
        """
        Where in the grid a kernel with stage_in begins, and how many threads fetch for it.
        """

    def concurrent_dispatch_threads(self, threads_per_grid: Size | int | Sequence[int], threads_per_threadgroup: Size | int | Sequence[int]) -> None:
        """
        Run so many threads, at the same time as other commands' that no barrier parts from them.
        """

    def concurrent_dispatch_threadgroups(self, threadgroups_per_grid: Size | int | Sequence[int], threads_per_threadgroup: Size | int | Sequence[int]) -> None:
        """
        Run so many threadgroups, at the same time as other commands' that no barrier parts from them.
        """

    def set_barrier(self) -> None:
        """The command waits for those before it."""

    def clear_barrier(self) -> None:
        """The command does not wait for those before it."""

    def reset(self) -> None:
        """Empty the command: it does nothing then."""

class IndirectCommandBuffer(Resource):
    """Commands in memory; kernels write them through a command_buffer."""

    @property
    def size(self) -> int:
        """How many commands it holds."""

    @property
    def gpu_resource_id(self) -> int:
        """What an argument buffer holds for a command_buffer."""

    def indirect_compute_command(self, command_index: int) -> IndirectComputeCommand:
        """A command, to be written."""

    def indirect_render_command(self, command_index: int) -> IndirectRenderCommand:
        """A command that draws, to be written."""

    def reset(self, range: Range | Sequence[int]) -> None:
        """Empty commands."""

class IndirectRenderCommand:
    """A command that draws."""

    def set_render_pipeline_state(self, state: RenderPipelineState) -> None:
        """The functions that the command runs."""

    @overload
    def set_vertex_buffer(self, buffer: Buffer, offset: int, index: int) -> None:
        """
        Give the vertex function's argument `index` a buffer from byte `offset`.
        """

    @overload
    def set_vertex_buffer(self, buffer: Buffer, offset: int, stride: int, index: int) -> None:
        """
        The same for a layout without a stride of its own: bytes from one element to the next.
        """

    def set_fragment_buffer(self, buffer: Buffer, offset: int, index: int) -> None:
        """
        Give the fragment function's argument `index` a buffer from byte `offset`.
        """

    def set_cull_mode(self, mode: CullMode) -> None:
        """Say which triangles are left out."""

    def set_front_facing_winding(self, winding: Winding) -> None:
        """Say how the vertices of a triangle go round that faces the viewer."""

    def set_triangle_fill_mode(self, mode: TriangleFillMode) -> None:
        """Say whether triangles are filled or outlined."""

    def set_depth_clip_mode(self, mode: DepthClipMode) -> None:
        """
        Say what becomes of what lies in front of the near plane or behind the far one.
        """

    def set_depth_stencil_state(self, state: DepthStencilState) -> None:
        """Say how depth and stencil are tested."""

    def set_depth_bias(self, depth_bias: float, slope_scale: float, clamp: float) -> None:
        """
        Move depths by so many of the smallest steps, and by so many slopes of the triangle; `clamp`: at most so far.
        """

    def draw_primitives(self, primitive_type: PrimitiveType, vertex_start: int, vertex_count: int, instance_count: int = 1, base_instance: int = 0) -> None:
        """Draw vertices in order, `instance_count` times."""

    def draw_indexed_primitives(self, primitive_type: PrimitiveType, index_count: int, index_type: IndexType, index_buffer: Buffer, index_buffer_offset: int, instance_count: int = 1, base_vertex: int = 0, base_instance: int = 0) -> None:
        """
        Draw the vertices that a buffer of indices names, from byte `index_buffer_offset` on.
        """

    def set_barrier(self) -> None:
        """The command waits for those before it."""

    def clear_barrier(self) -> None:
        """The command does not wait for those before it."""

    def reset(self) -> None:
        """Empty the command: it does nothing then."""

class ArgumentDescriptor:
    """A member of an argument buffer, for an encoder without a function."""

    def __init__(self) -> None: ...

    @staticmethod
    def argument_descriptor() -> ArgumentDescriptor:
        """A descriptor as by default: of no type, at index 0."""

    @property
    def data_type(self) -> DataType:
        """Pointer, Texture, Sampler ..., or the type of a constant."""

    @data_type.setter
    def data_type(self, arg: DataType, /) -> None: ...

    @property
    def index(self) -> int:
        """The n of [[id(n)]]."""

    @index.setter
    def index(self, arg: int, /) -> None: ...

    @property
    def array_length(self) -> int:
        """Elements of an array; 0: it is none."""

    @array_length.setter
    def array_length(self, arg: int, /) -> None: ...

    @property
    def access(self) -> BindingAccess:
        """Whether functions read or write it."""

    @access.setter
    def access(self, arg: BindingAccess, /) -> None: ...

    @property
    def texture_type(self) -> TextureType:
        """Of DataType.Texture: its dimensions."""

    @texture_type.setter
    def texture_type(self, arg: TextureType, /) -> None: ...

    @property
    def constant_block_alignment(self) -> int:
        """
        What the place of a constant is a multiple of, in bytes; 0: what its type wants.
        """

    @constant_block_alignment.setter
    def constant_block_alignment(self, arg: int, /) -> None: ...

class LinkedFunctions:
    """Visible functions that a kernel can call through tables."""

    def __init__(self) -> None: ...

    @property
    def functions(self) -> list[Function]:
        """
        Visible functions that the pipeline may call, and that `function_handle` finds. Empty unless set.
        """

    @functions.setter
    def functions(self, arg: Sequence[Function], /) -> None: ...

    @property
    def private_functions(self) -> list[Function]:
        """
        Visible functions that only the pipeline's own code calls, so that they can be built into it. None unless set.
        """

    @private_functions.setter
    def private_functions(self, arg: Sequence[Function], /) -> None: ...

class FunctionHandle:
    """A visible function as one pipeline knows it."""

    @property
    def name(self) -> str:
        """Name of the function."""

    @property
    def function_type(self) -> FunctionType:
        """Always Visible here."""

    @property
    def device(self) -> Device:
        """The device of the pipeline that made it."""

class VisibleFunctionTableDescriptor:
    """How large a table of functions is."""

    def __init__(self) -> None: ...

    @property
    def function_count(self) -> int:
        """How many functions the table has room for; must be set."""

    @function_count.setter
    def function_count(self, arg: int, /) -> None: ...

class VisibleFunctionTable(Resource):
    """What a kernel's table argument is bound to."""

    @property
    def gpu_resource_id(self) -> int:
        """What an argument buffer holds for it."""

    def set_function(self, function: FunctionHandle | None, index: int) -> None:
        """Put a function there; None takes it away."""

class ArgumentEncoder:
    """Writes the members of an argument buffer by their ids."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """A name, for messages and captures."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def encoded_length(self) -> int:
        """Bytes of the members."""

    @property
    def alignment(self) -> int:
        """What the offset in a buffer is a multiple of."""

    def constant_data(self, index: int) -> int:
        """Address of a member that is a constant, where a program may write it."""

    def new_argument_encoder(self, index: int) -> ArgumentEncoder:
        """An encoder of the struct that a member points at."""

    def set_argument_buffer(self, buffer: Buffer, offset: int = 0) -> None:
        """Say where the arguments are written."""

    def set_buffer(self, buffer: Buffer | None, offset: int, index: int) -> None:
        """Write a buffer's address, plus `offset`."""

    def set_indirect_command_buffer(self, commands: IndirectCommandBuffer | None, index: int) -> None:
        """Write an indirect command buffer."""

    def set_compute_pipeline_state(self, state: ComputePipelineState, index: int) -> None:
        """Write a compute pipeline state, for kernels that write commands."""

    def set_render_pipeline_state(self, state: RenderPipelineState, index: int) -> None:
        """Write a render pipeline state, for kernels that write commands."""

    def set_texture(self, texture: Texture | None, index: int) -> None:
        """Write a texture."""

    def set_sampler_state(self, sampler: SamplerState | None, index: int) -> None:
        """Write a sampler."""

class FunctionConstant:
    """A function constant that a library declares."""

    @property
    def name(self) -> str:
        """Its name in the source."""

    @property
    def index(self) -> int:
        """n of [[function_constant(n)]]."""

    @property
    def type(self) -> DataType:
        """Type of its value."""

    @property
    def required(self) -> bool:
        """Whether a function that uses it cannot be made without a value for it."""

    def __repr__(self) -> str: ...

class FunctionConstantValues:
    """Values for function constants, by index or name."""

    def __init__(self) -> None: ...

    def set_constant_value(self, value: _Buffer, type: DataType, index: int | str) -> None:
        """Set the constant of that index or name to the bytes of `value`."""

    def reset(self) -> None:
        """Forget all values."""

class Attribute:
    """An input with [[attribute(n)]]."""

    @property
    def name(self) -> str:
        """Name of the member."""

    @property
    def index(self) -> int:
        """n of [[attribute(n)]]."""

    @property
    def type(self) -> DataType:
        """Type of the member in the function."""

    @property
    def is_patch_control_point_data(self) -> bool:
        """Whether it belongs to a control point of a patch."""

    def __repr__(self) -> str: ...

class Function:
    """A function of a library."""

    @property
    def name(self) -> str:
        """Its name in the source, or the one that [[host_name]] gave it."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def function_type(self) -> FunctionType:
        """Vertex, Fragment, Kernel, Visible or Intersection."""

    @property
    def stage_input_attributes(self) -> list[Attribute]:
        """Inputs with [[attribute(n)]], of a vertex function or a kernel."""

    def new_argument_encoder(self, buffer_index: int) -> ArgumentEncoder:
        """An encoder of the struct that the buffer at this index points at."""

    @property
    def function_constants(self) -> dict[str, FunctionConstant]:
        """The function constants it may be specialised by, by name."""

    @property
    def info(self) -> FunctionInfo | None:
        """What its source says of it; None on a Mac."""

    def __repr__(self) -> str: ...

class CompileOptions:
    """How source is compiled."""

    def __init__(self) -> None: ...

    @property
    def fast_math_enabled(self) -> bool:
        """
        The older form of `math_mode`: whether results may differ in the last bits to be faster. True unless set.
        """

    @fast_math_enabled.setter
    def fast_math_enabled(self, arg: bool, /) -> None: ...

    @property
    def math_mode(self) -> MathMode:
        """
        How exactly floating-point arithmetic follows IEEE 754: Safe, Relaxed (unless set) or Fast.
        """

    @math_mode.setter
    def math_mode(self, arg: MathMode, /) -> None: ...

    @property
    def math_floating_point_functions(self) -> MathFloatingPointFunctions:
        """
        Which of the functions of the library `sin(x)` and its kin are: Fast (unless set) or Precise.
        """

    @math_floating_point_functions.setter
    def math_floating_point_functions(self, arg: MathFloatingPointFunctions, /) -> None: ...

    @property
    def language_version(self) -> LanguageVersion:
        """
        Which version of the Metal shading language the source is in; the newest unless set.
        """

    @language_version.setter
    def language_version(self, arg: LanguageVersion, /) -> None: ...

    @property
    def preserve_invariance(self) -> bool:
        """
        Whether positions marked [[invariant]] come out the same in all functions that compute them alike.
        """

    @preserve_invariance.setter
    def preserve_invariance(self, arg: bool, /) -> None: ...

    @property
    def optimization_level(self) -> LibraryOptimizationLevel:
        """Default: for speed; Size: for short code."""

    @optimization_level.setter
    def optimization_level(self, arg: LibraryOptimizationLevel, /) -> None: ...

    @property
    def library_type(self) -> LibraryType:
        """
        Executable: its functions are for pipelines; Dynamic: for other libraries to link.
        """

    @library_type.setter
    def library_type(self, arg: LibraryType, /) -> None: ...

    @property
    def max_total_threads_per_threadgroup(self) -> int:
        """
        The largest threadgroup its kernels are to run with; 0: no limit of its own.
        """

    @max_total_threads_per_threadgroup.setter
    def max_total_threads_per_threadgroup(self, arg: int, /) -> None: ...

    @property
    def preprocessor_macros(self) -> dict[str, str]:
        """Names and values of macros."""

    @preprocessor_macros.setter
    def preprocessor_macros(self, value: Mapping[str, str | int | float | bool], /) -> None: ...

    def set_headers(self, headers: Mapping[str, str], directories: Sequence[str] = []) -> None:
        """
        Serve `#include` from these texts, then from these folders. Software device only.
        """

    def set_kept_on_disk(self, is_kept: bool) -> None:
        """
        Whether the library and its kernels come from and go to the folder of compiled code. Elsewhere than on the software device Metal decides.
        """

class Library:
    """Compiled functions."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def function_names(self) -> list[str]:
        """Names of the functions that `new_function` finds."""

    @property
    def diagnostics(self) -> str:
        """The compiler's warnings in Apple's format; empty when it had none."""

    @property
    def functions(self) -> list[FunctionInfo]:
        """What the source says of each function; empty on a Mac."""

    def new_function(self, name: str, constants: FunctionConstantValues | dict[str | int, object] | None = None) -> Function | None:
        """
        The function of that name, or None. A dict's values are converted by the constants' declared types.
        """

    def __repr__(self) -> str: ...

class BinaryArchiveDescriptor:
    """What a binary archive begins with."""

    def __init__(self) -> None: ...

    @staticmethod
    def binary_archive_descriptor() -> BinaryArchiveDescriptor:
        """An empty descriptor, as the constructor makes."""

    def set_url(self, path: str | None) -> None:
        """Begin with this file; None for an empty archive."""

    @property
    def url(self) -> str | None:
        """Path of the file."""

    @url.setter
    def url(self, value: str | None) -> None: ...

class BinaryArchive:
    """Machine code of kernels, to be kept in a file."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    def add_compute_pipeline_functions(self, descriptor: ComputePipelineDescriptor) -> None:
        """
        Compile the descriptor's kernel where the archive does not have it. Raises ResourceError.
        """

    def add_render_pipeline_functions(self, descriptor: RenderPipelineDescriptor) -> None:
        """The same for a vertex and a fragment function. Raises ResourceError."""

    def serialize_to_url(self, path: str) -> None:
        """Write the archive to a file. Raises ResourceError."""

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

class AttributeFormat(enum.IntEnum):
    """How an attribute lies in its buffer."""

    Invalid = 0

    UChar2 = 1

    UChar3 = 2

    UChar4 = 3

    Char2 = 4

    Char3 = 5

    Char4 = 6

    UChar2Normalized = 7

    UChar3Normalized = 8

    UChar4Normalized = 9

    Char2Normalized = 10

    Char3Normalized = 11

    Char4Normalized = 12

    UShort2 = 13

    UShort3 = 14

    UShort4 = 15

    Short2 = 16

    Short3 = 17

    Short4 = 18

    UShort2Normalized = 19

    UShort3Normalized = 20

    UShort4Normalized = 21

    Short2Normalized = 22

    Short3Normalized = 23

    Short4Normalized = 24

    Half2 = 25

    Half3 = 26

    Half4 = 27

    Float = 28

    Float2 = 29

    Float3 = 30

    Float4 = 31

    Int = 32

    Int2 = 33

    Int3 = 34

    Int4 = 35

    UInt = 36

    UInt2 = 37

    UInt3 = 38

    UInt4 = 39

    Int1010102Normalized = 40

    UInt1010102Normalized = 41

    UChar4Normalized_BGRA = 42

    UChar = 45

    Char = 46

    UCharNormalized = 47

    CharNormalized = 48

    UShort = 49

    Short = 50

    UShortNormalized = 51

    ShortNormalized = 52

    Half = 53

    FloatRG11B10 = 54

    FloatRGB9E5 = 55

class StepFunction(enum.IntEnum):
    """Which element of its buffer a thread fetches."""

    Constant = 0

    PerVertex = 1

    PerInstance = 2

    PerPatch = 3

    PerPatchControlPoint = 4

    ThreadPositionInGridX = 5

    ThreadPositionInGridY = 6

    ThreadPositionInGridXIndexed = 7

    ThreadPositionInGridYIndexed = 8

class AttributeDescriptor:
    """Where a member with [[attribute(n)]] comes from."""

    def __init__(self) -> None: ...

    @property
    def format(self) -> AttributeFormat:
        """
        How the bytes in the buffer are read; Invalid: the attribute is not fetched.
        """

    @format.setter
    def format(self, arg: AttributeFormat, /) -> None: ...

    @property
    def buffer_index(self) -> int:
        """Index of the buffer that it is fetched from, and of its layout."""

    @buffer_index.setter
    def buffer_index(self, arg: int, /) -> None: ...

    @property
    def offset(self) -> int:
        """Bytes from the start of an element."""

    @offset.setter
    def offset(self, arg: int, /) -> None: ...

class BufferLayoutDescriptor:
    """How the elements of a buffer follow one another."""

    def __init__(self) -> None: ...

    @property
    def stride(self) -> int:
        """Bytes from one element to the next."""

    @stride.setter
    def stride(self, arg: int, /) -> None: ...

    @property
    def step_function(self) -> StepFunction:
        """
        What moves on to the next element: a vertex, an instance, a place of the grid, or nothing (Constant).
        """

    @step_function.setter
    def step_function(self, arg: StepFunction, /) -> None: ...

    @property
    def step_rate(self) -> int:
        """So many threads share an element."""

    @step_rate.setter
    def step_rate(self, arg: int, /) -> None: ...

class AttributeDescriptorArray:
    """Attribute descriptors by attribute index."""

    def __getitem__(self, index: int) -> AttributeDescriptor: ...

    def __setitem__(self, index: int, descriptor: AttributeDescriptor | None) -> None: ...

    def object(self, index: int) -> AttributeDescriptor:
        """The descriptor at an index, made when it is first asked for."""

    def set_object(self, descriptor: AttributeDescriptor | None, index: int) -> None:
        """Put a copy of a descriptor there; None puts a new one."""

class BufferLayoutDescriptorArray:
    """Buffer layouts by buffer index."""

    def __getitem__(self, index: int) -> BufferLayoutDescriptor: ...

    def __setitem__(self, index: int, descriptor: BufferLayoutDescriptor | None) -> None: ...

    def object(self, index: int) -> BufferLayoutDescriptor:
        """The descriptor at an index, made when it is first asked for."""

    def set_object(self, descriptor: BufferLayoutDescriptor | None, index: int) -> None:
        """Put a copy of a descriptor there; None puts a new one."""

class StageInputOutputDescriptor:
    """Where a kernel's [[stage_in]] comes from."""

    def __init__(self) -> None: ...

    @staticmethod
    def stage_input_output_descriptor() -> StageInputOutputDescriptor:
        """An empty descriptor, as the constructor makes."""

    @property
    def attributes(self) -> AttributeDescriptorArray:
        """Where each member with [[attribute(n)]] comes from, by n."""

    @property
    def layouts(self) -> BufferLayoutDescriptorArray:
        """How the elements lie in each buffer, by its index."""

    @property
    def index_buffer_index(self) -> int:
        """Of the buffer of indices, for the step functions that are `Indexed`."""

    @index_buffer_index.setter
    def index_buffer_index(self, arg: int, /) -> None: ...

    @property
    def index_type(self) -> IndexType:
        """
        Type of the indices in the buffer at `index_buffer_index`. UInt16 unless set.
        """

    @index_type.setter
    def index_type(self, arg: IndexType, /) -> None: ...

    def reset(self) -> None:
        """Forget all settings."""

class CounterSet:
    """Counters that are sampled together."""

    @property
    def name(self) -> str:
        """Its name, such as "timestamp"."""

    @property
    def counters(self) -> list[str]:
        """Their names."""

    def __repr__(self) -> str: ...

class CounterSampleBufferDescriptor:
    """What a counter sample buffer is made of."""

    def __init__(self) -> None: ...

    @property
    def counter_set(self) -> CounterSet | None:
        """One of `Device.counter_sets`."""

    @counter_set.setter
    def counter_set(self, counter_set: CounterSet | None) -> None: ...

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def sample_count(self) -> int:
        """How many samples it holds."""

    @sample_count.setter
    def sample_count(self, arg: int, /) -> None: ...

    @property
    def storage_mode(self) -> StorageMode:
        """Shared, or private: then a blit encoder copies from it."""

    @storage_mode.setter
    def storage_mode(self, arg: StorageMode, /) -> None: ...

class CounterSampleBuffer:
    """Where a device writes samples of counters."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """The name that its descriptor gave it."""

    @property
    def sample_count(self) -> int:
        """How many samples it holds."""

    def __len__(self) -> int: ...

    def resolve_counter_range(self, range: Range | Sequence[int]) -> bytes:
        """
        Bytes of the samples, a uint64 each for timestamps; those not taken are COUNTER_ERROR_VALUE.
        """

class ComputePassSampleBufferAttachmentDescriptor:
    """Which samples are taken where an encoder begins and ends; -1 for none."""

    def __init__(self) -> None: ...

    @property
    def sample_buffer(self) -> CounterSampleBuffer | None:
        """Where the samples go; None: none are taken."""

    @sample_buffer.setter
    def sample_buffer(self, buffer: CounterSampleBuffer | None) -> None: ...

    @property
    def start_of_encoder_sample_index(self) -> int:
        """
        Index of the sample that is taken when the encoder's first command begins; -1: none.
        """

    @start_of_encoder_sample_index.setter
    def start_of_encoder_sample_index(self, arg: int, /) -> None: ...

    @property
    def end_of_encoder_sample_index(self) -> int:
        """
        Index of the sample that is taken when the encoder's last command has ended; -1: none.
        """

    @end_of_encoder_sample_index.setter
    def end_of_encoder_sample_index(self, arg: int, /) -> None: ...

class ComputePassSampleBufferAttachmentDescriptorArray:
    """A pass's four places for sample buffers."""

    def __getitem__(self, index: int) -> ComputePassSampleBufferAttachmentDescriptor: ...

    def __setitem__(self, index: int, attachment: ComputePassSampleBufferAttachmentDescriptor | None) -> None: ...

class ComputePassDescriptor:
    """What an encoder is made with."""

    def __init__(self) -> None: ...

    @property
    def sample_buffer_attachments(self) -> ComputePassSampleBufferAttachmentDescriptorArray:
        """Where samples of counters go, by index."""

    @staticmethod
    def compute_pass_descriptor() -> ComputePassDescriptor:
        """A descriptor as by default, as the constructor makes."""

    @property
    def dispatch_type(self) -> DispatchType:
        """Whether the dispatches run one after another."""

    @dispatch_type.setter
    def dispatch_type(self, arg: DispatchType, /) -> None: ...

class BlitPassSampleBufferAttachmentDescriptor:
    """Which samples are taken where an encoder begins and ends; -1 for none."""

    def __init__(self) -> None: ...

    @property
    def sample_buffer(self) -> CounterSampleBuffer | None:
        """Where the samples go; None: none are taken."""

    @sample_buffer.setter
    def sample_buffer(self, buffer: CounterSampleBuffer | None) -> None: ...

    @property
    def start_of_encoder_sample_index(self) -> int:
        """
        Index of the sample that is taken when the encoder's first command begins; -1: none.
        """

    @start_of_encoder_sample_index.setter
    def start_of_encoder_sample_index(self, arg: int, /) -> None: ...

    @property
    def end_of_encoder_sample_index(self) -> int:
        """
        Index of the sample that is taken when the encoder's last command has ended; -1: none.
        """

    @end_of_encoder_sample_index.setter
    def end_of_encoder_sample_index(self, arg: int, /) -> None: ...

class BlitPassSampleBufferAttachmentDescriptorArray:
    """A pass's four places for sample buffers."""

    def __getitem__(self, index: int) -> BlitPassSampleBufferAttachmentDescriptor: ...

    def __setitem__(self, index: int, attachment: BlitPassSampleBufferAttachmentDescriptor | None) -> None: ...

class BlitPassDescriptor:
    """What an encoder is made with."""

    def __init__(self) -> None: ...

    @property
    def sample_buffer_attachments(self) -> BlitPassSampleBufferAttachmentDescriptorArray:
        """Where samples of counters go, by index."""

    @staticmethod
    def blit_pass_descriptor() -> BlitPassDescriptor:
        """A descriptor as by default, as the constructor makes."""

COUNTER_ERROR_VALUE: int = 18446744073709551615

COUNTER_DONT_SAMPLE: int = -1

class VertexAttributeDescriptor:
    """Where a vertex' member with [[attribute(n)]] lies."""

    def __init__(self) -> None: ...

    @property
    def format(self) -> VertexFormat:
        """
        Its type in the buffer; VertexFormat.Invalid: there is no such attribute.
        """

    @format.setter
    def format(self, arg: VertexFormat, /) -> None: ...

    @property
    def buffer_index(self) -> int:
        """Index of the buffer, as of `set_vertex_buffer`."""

    @buffer_index.setter
    def buffer_index(self, arg: int, /) -> None: ...

    @property
    def offset(self) -> int:
        """Bytes from the start of an element."""

    @offset.setter
    def offset(self, arg: int, /) -> None: ...

class VertexBufferLayoutDescriptor:
    """How the elements of a vertex buffer follow one another."""

    def __init__(self) -> None: ...

    @property
    def stride(self) -> int:
        """
        Bytes from one element to the next; -1, Metal's BufferLayoutStrideDynamic: as `set_vertex_buffer` says.
        """

    @stride.setter
    def stride(self, arg: int, /) -> None: ...

    @property
    def step_function(self) -> VertexStepFunction:
        """Whether each vertex or each instance has an element of its own."""

    @step_function.setter
    def step_function(self, arg: VertexStepFunction, /) -> None: ...

    @property
    def step_rate(self) -> int:
        """So many instances share an element."""

    @step_rate.setter
    def step_rate(self, arg: int, /) -> None: ...

class VertexAttributeDescriptorArray:
    """Vertex attributes by attribute index."""

    def __getitem__(self, index: int) -> VertexAttributeDescriptor: ...

    def __setitem__(self, index: int, descriptor: VertexAttributeDescriptor | None) -> None: ...

    def object(self, index: int) -> VertexAttributeDescriptor:
        """The descriptor at an index, made when it is first asked for."""

    def set_object(self, descriptor: VertexAttributeDescriptor | None, index: int) -> None:
        """Put a copy of a descriptor there; None puts a new one."""

class VertexBufferLayoutDescriptorArray:
    """Layouts of vertex buffers by buffer index."""

    def __getitem__(self, index: int) -> VertexBufferLayoutDescriptor: ...

    def __setitem__(self, index: int, descriptor: VertexBufferLayoutDescriptor | None) -> None: ...

    def object(self, index: int) -> VertexBufferLayoutDescriptor:
        """The descriptor at an index, made when it is first asked for."""

    def set_object(self, descriptor: VertexBufferLayoutDescriptor | None, index: int) -> None:
        """Put a copy of a descriptor there; None puts a new one."""

class VertexDescriptor:
    """Where a vertex function's [[stage_in]] comes from."""

    def __init__(self) -> None: ...

    @staticmethod
    def vertex_descriptor() -> VertexDescriptor:
        """An empty descriptor, as the constructor makes."""

    @property
    def attributes(self) -> VertexAttributeDescriptorArray:
        """By the n of [[attribute(n)]]."""

    @property
    def layouts(self) -> VertexBufferLayoutDescriptorArray:
        """By the index of the buffer."""

    def attribute(self, index: int) -> VertexAttributeDescriptor:
        """The descriptor of [[attribute(index)]]."""

    def layout(self, index: int) -> VertexBufferLayoutDescriptor:
        """The layout of the buffer at an index."""

    def reset(self) -> None:
        """Forget all settings."""

class StencilDescriptor:
    """The stencil test of triangles that face one way."""

    def __init__(self) -> None: ...

    @staticmethod
    def stencil_descriptor() -> StencilDescriptor:
        """
        A descriptor as by default: every sample passes and nothing is written.
        """

    @property
    def stencil_compare_function(self) -> CompareFunction:
        """
        How the reference value compares with the stored one in samples that pass.
        """

    @stencil_compare_function.setter
    def stencil_compare_function(self, arg: CompareFunction, /) -> None: ...

    @property
    def stencil_failure_operation(self) -> StencilOperation:
        """What is stored when the stencil test fails."""

    @stencil_failure_operation.setter
    def stencil_failure_operation(self, arg: StencilOperation, /) -> None: ...

    @property
    def depth_failure_operation(self) -> StencilOperation:
        """What is stored when the stencil test passes and the depth test fails."""

    @depth_failure_operation.setter
    def depth_failure_operation(self, arg: StencilOperation, /) -> None: ...

    @property
    def depth_stencil_pass_operation(self) -> StencilOperation:
        """What is stored when both tests pass."""

    @depth_stencil_pass_operation.setter
    def depth_stencil_pass_operation(self, arg: StencilOperation, /) -> None: ...

    @property
    def read_mask(self) -> int:
        """Bits that are compared."""

    @read_mask.setter
    def read_mask(self, arg: int, /) -> None: ...

    @property
    def write_mask(self) -> int:
        """Bits that are stored."""

    @write_mask.setter
    def write_mask(self, arg: int, /) -> None: ...

class DepthStencilDescriptor:
    """How draws test and change depth and stencil."""

    def __init__(self) -> None: ...

    @staticmethod
    def depth_stencil_descriptor() -> DepthStencilDescriptor:
        """
        A descriptor as by default: every sample passes and no depth is written.
        """

    @property
    def depth_compare_function(self) -> CompareFunction:
        """How a sample's depth compares with the stored one when it passes."""

    @depth_compare_function.setter
    def depth_compare_function(self, arg: CompareFunction, /) -> None: ...

    @property
    def depth_write_enabled(self) -> bool:
        """Whether the depth of samples that pass is stored."""

    @depth_write_enabled.setter
    def depth_write_enabled(self, arg: bool, /) -> None: ...

    @property
    def front_face_stencil(self) -> StencilDescriptor:
        """
        The stencil test of triangles that face the viewer; set by copy, None for the default.
        """

    @front_face_stencil.setter
    def front_face_stencil(self, value: StencilDescriptor | None) -> None: ...

    @property
    def back_face_stencil(self) -> StencilDescriptor:
        """
        The stencil test of triangles that face away; set by copy, None for the default.
        """

    @back_face_stencil.setter
    def back_face_stencil(self, value: StencilDescriptor | None) -> None: ...

    @property
    def label(self) -> str:
        """A name, for messages and captures."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

class DepthStencilState:
    """How draws test and change depth and stencil, ready to be set."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """The name that its descriptor had."""

    @property
    def gpu_resource_id(self) -> int:
        """What an argument buffer holds for it."""

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

    def __repr__(self) -> str: ...

class ComputePipelineDescriptor:
    """How a kernel is made ready to run."""

    def __init__(self) -> None: ...

    @property
    def compute_function(self) -> Function | None:
        """The kernel; must be set."""

    @compute_function.setter
    def compute_function(self, value: Function | None) -> None: ...

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def thread_group_size_is_multiple_of_thread_execution_width(self) -> bool:
        """
        A promise that helps the compiler: every threadgroup fills its SIMD-groups. False unless set.
        """

    @thread_group_size_is_multiple_of_thread_execution_width.setter
    def thread_group_size_is_multiple_of_thread_execution_width(self, arg: bool, /) -> None: ...

    @property
    def max_total_threads_per_threadgroup(self) -> int:
        """
        The largest threadgroup that it is to run with; 0: as large as the device can.
        """

    @max_total_threads_per_threadgroup.setter
    def max_total_threads_per_threadgroup(self, arg: int, /) -> None: ...

    @property
    def required_threads_per_threadgroup(self) -> Size:
        """What every dispatch must have as its threadgroup; zeros: any size."""

    @required_threads_per_threadgroup.setter
    def required_threads_per_threadgroup(self, arg: Size | int | Sequence[int], /) -> None: ...

    @property
    def support_indirect_command_buffers(self) -> bool:
        """Whether commands of an IndirectCommandBuffer may run it."""

    @support_indirect_command_buffers.setter
    def support_indirect_command_buffers(self, arg: bool, /) -> None: ...

    @property
    def linked_functions(self) -> LinkedFunctions | None:
        """Visible functions that the kernel can call through tables."""

    @linked_functions.setter
    def linked_functions(self, value: LinkedFunctions | None) -> None: ...

    @property
    def stage_input_descriptor(self) -> StageInputOutputDescriptor:
        """Where the kernel's [[stage_in]] comes from; set by copy."""

    @stage_input_descriptor.setter
    def stage_input_descriptor(self, value: StageInputOutputDescriptor | None) -> None: ...

    @property
    def binary_archives(self) -> list[BinaryArchive]:
        """Where the kernel's code is looked for before it is compiled."""

    @binary_archives.setter
    def binary_archives(self, arg: Sequence[BinaryArchive], /) -> None: ...

    def reset(self) -> None:
        """Forget all settings."""

class ComputePipelineState:
    """A kernel ready to run."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """The name that its descriptor gave it."""

    @property
    def max_total_threads_per_threadgroup(self) -> int:
        """How many threads a threadgroup may have."""

    @property
    def required_threads_per_threadgroup(self) -> Size:
        """
        Of [[required_threads_per_threadgroup(x, y, z)]] or the descriptor; zeros: any size.
        """

    @property
    def support_indirect_command_buffers(self) -> bool:
        """Whether commands of an IndirectCommandBuffer can run it."""

    @property
    def gpu_resource_id(self) -> int:
        """What an argument buffer holds for a compute_pipeline_state."""

    @property
    def thread_execution_width(self) -> int:
        """Threads that run as one SIMD-group."""

    @property
    def static_threadgroup_memory_length(self) -> int:
        """Bytes of threadgroup memory that the kernel declares."""

    @property
    def name(self) -> str:
        """The kernel's name."""

    @property
    def arguments(self) -> list[Argument]:
        """The kernel's arguments by reflection."""

    def function_handle(self, function: Function) -> FunctionHandle | None:
        """A visible function that is linked to the kernel; None for others."""

    def new_visible_function_table(self, descriptor: VisibleFunctionTableDescriptor) -> VisibleFunctionTable:
        """A table that the kernel calls functions through."""

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

    def __repr__(self) -> str: ...

class RenderPipelineColorAttachmentDescriptor:
    """How a pipeline writes one of the colours of a pass."""

    def __init__(self) -> None: ...

    @property
    def pixel_format(self) -> PixelFormat:
        """Format of the texture; PixelFormat.Invalid: there is no such colour."""

    @pixel_format.setter
    def pixel_format(self, arg: PixelFormat, /) -> None: ...

    @property
    def blending_enabled(self) -> bool:
        """
        Whether new colours are blended with the stored ones; else they replace them.
        """

    @blending_enabled.setter
    def blending_enabled(self, arg: bool, /) -> None: ...

    @property
    def source_rgb_blend_factor(self) -> BlendFactor:
        """What the new colour is multiplied by."""

    @source_rgb_blend_factor.setter
    def source_rgb_blend_factor(self, arg: BlendFactor, /) -> None: ...

    @property
    def destination_rgb_blend_factor(self) -> BlendFactor:
        """What the stored colour is multiplied by."""

    @destination_rgb_blend_factor.setter
    def destination_rgb_blend_factor(self, arg: BlendFactor, /) -> None: ...

    @property
    def rgb_blend_operation(self) -> BlendOperation:
        """How the two colours become one."""

    @rgb_blend_operation.setter
    def rgb_blend_operation(self, arg: BlendOperation, /) -> None: ...

    @property
    def source_alpha_blend_factor(self) -> BlendFactor:
        """What the new alpha is multiplied by."""

    @source_alpha_blend_factor.setter
    def source_alpha_blend_factor(self, arg: BlendFactor, /) -> None: ...

    @property
    def destination_alpha_blend_factor(self) -> BlendFactor:
        """What the stored alpha is multiplied by."""

    @destination_alpha_blend_factor.setter
    def destination_alpha_blend_factor(self, arg: BlendFactor, /) -> None: ...

    @property
    def alpha_blend_operation(self) -> BlendOperation:
        """How the two alphas become one."""

    @alpha_blend_operation.setter
    def alpha_blend_operation(self, arg: BlendOperation, /) -> None: ...

    @property
    def write_mask(self) -> int:
        """Channels that are written: flags of ColorWriteMask."""

    @write_mask.setter
    def write_mask(self, arg: int, /) -> None: ...

class RenderPipelineColorAttachmentDescriptorArray:
    """How a pipeline writes the colours of a pass."""

    def __getitem__(self, index: int) -> RenderPipelineColorAttachmentDescriptor: ...

    def __setitem__(self, index: int, descriptor: RenderPipelineColorAttachmentDescriptor | None) -> None: ...

    def object(self, index: int) -> RenderPipelineColorAttachmentDescriptor:
        """The descriptor at an index, made when it is first asked for."""

    def set_object(self, descriptor: RenderPipelineColorAttachmentDescriptor | None, index: int) -> None:
        """Put a copy of a descriptor there; None puts a new one."""

class PipelineBufferDescriptor:
    """What a pipeline may take for granted of a buffer."""

    def __init__(self) -> None: ...

    @property
    def mutability(self) -> Mutability:
        """Whether its contents may change while commands use it."""

    @mutability.setter
    def mutability(self, arg: Mutability, /) -> None: ...

class PipelineBufferDescriptorArray:
    """What a pipeline may take for granted of its buffers."""

    def __getitem__(self, index: int) -> PipelineBufferDescriptor: ...

    def __setitem__(self, index: int, descriptor: PipelineBufferDescriptor | None) -> None: ...

    def object(self, index: int) -> PipelineBufferDescriptor:
        """The descriptor at an index, made when it is first asked for."""

    def set_object(self, descriptor: PipelineBufferDescriptor | None, index: int) -> None:
        """Put a copy of a descriptor there; None puts a new one."""

class RenderPipelineDescriptor:
    """How a vertex and a fragment function are made ready to draw."""

    def __init__(self) -> None: ...

    @staticmethod
    def render_pipeline_descriptor() -> RenderPipelineDescriptor:
        """An empty descriptor, as the constructor makes."""

    @property
    def label(self) -> str:
        """A name, for messages and captures."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def support_indirect_command_buffers(self) -> bool:
        """Whether commands of an IndirectCommandBuffer may draw with it."""

    @support_indirect_command_buffers.setter
    def support_indirect_command_buffers(self, arg: bool, /) -> None: ...

    def reset(self) -> None:
        """Forget all settings."""

    @property
    def vertex_function(self) -> Function | None:
        """Gives the position of each vertex."""

    @vertex_function.setter
    def vertex_function(self, value: Function | None) -> None: ...

    @property
    def fragment_function(self) -> Function | None:
        """
        Gives the colours of each pixel; None: depth and stencil alone are drawn.
        """

    @fragment_function.setter
    def fragment_function(self, value: Function | None) -> None: ...

    @property
    def vertex_descriptor(self) -> VertexDescriptor | None:
        """Where the vertex function's [[stage_in]] comes from; set by copy."""

    @vertex_descriptor.setter
    def vertex_descriptor(self, value: VertexDescriptor | None) -> None: ...

    @property
    def vertex_linked_functions(self) -> LinkedFunctions | None:
        """Visible functions that the vertex function can call through tables."""

    @vertex_linked_functions.setter
    def vertex_linked_functions(self, value: LinkedFunctions | None) -> None: ...

    @property
    def fragment_linked_functions(self) -> LinkedFunctions | None:
        """Visible functions that the fragment function can call through tables."""

    @fragment_linked_functions.setter
    def fragment_linked_functions(self, value: LinkedFunctions | None) -> None: ...

    @property
    def vertex_buffers(self) -> PipelineBufferDescriptorArray:
        """
        What may be taken for granted of the vertex function's buffers, by index.
        """

    @property
    def fragment_buffers(self) -> PipelineBufferDescriptorArray:
        """
        What may be taken for granted of the fragment function's buffers, by index.
        """

    @property
    def binary_archives(self) -> list[BinaryArchive]:
        """Where the functions' code is looked for before it is compiled."""

    @binary_archives.setter
    def binary_archives(self, arg: Sequence[BinaryArchive], /) -> None: ...

    @property
    def color_attachments(self) -> RenderPipelineColorAttachmentDescriptorArray:
        """By the n of [[color(n)]]."""

    def color_attachment(self, index: int) -> RenderPipelineColorAttachmentDescriptor:
        """How [[color(index)]] is written."""

    @property
    def depth_attachment_pixel_format(self) -> PixelFormat:
        """Format of the depth; PixelFormat.Invalid: there is none."""

    @depth_attachment_pixel_format.setter
    def depth_attachment_pixel_format(self, arg: PixelFormat, /) -> None: ...

    @property
    def stencil_attachment_pixel_format(self) -> PixelFormat:
        """Format of the stencil; PixelFormat.Invalid: there is none."""

    @stencil_attachment_pixel_format.setter
    def stencil_attachment_pixel_format(self, arg: PixelFormat, /) -> None: ...

    @property
    def raster_sample_count(self) -> int:
        """Samples of a pixel: 1, 2, 4 or 8."""

    @raster_sample_count.setter
    def raster_sample_count(self, arg: int, /) -> None: ...

    @property
    def sample_count(self) -> int:
        """The older name of raster_sample_count."""

    @sample_count.setter
    def sample_count(self, arg: int, /) -> None: ...

    @property
    def alpha_to_coverage_enabled(self) -> bool:
        """Whether alpha says how many of a pixel's samples are drawn."""

    @alpha_to_coverage_enabled.setter
    def alpha_to_coverage_enabled(self, arg: bool, /) -> None: ...

    @property
    def alpha_to_one_enabled(self) -> bool:
        """Whether alpha is 1 whatever the fragment function gives."""

    @alpha_to_one_enabled.setter
    def alpha_to_one_enabled(self, arg: bool, /) -> None: ...

    @property
    def rasterization_enabled(self) -> bool:
        """Whether anything is drawn; if not, the vertex function alone runs."""

    @rasterization_enabled.setter
    def rasterization_enabled(self, arg: bool, /) -> None: ...

    @property
    def input_primitive_topology(self) -> PrimitiveTopologyClass:
        """Kind of primitives, which drawing into one of several images needs."""

    @input_primitive_topology.setter
    def input_primitive_topology(self, arg: PrimitiveTopologyClass, /) -> None: ...

    @property
    def max_vertex_amplification_count(self) -> int:
        """How often a vertex may be drawn in one go."""

    @max_vertex_amplification_count.setter
    def max_vertex_amplification_count(self, arg: int, /) -> None: ...

class RenderPipelineState:
    """A vertex and a fragment function ready to draw."""

    @property
    def device(self) -> Device:
        """The device that it draws on."""

    @property
    def label(self) -> str:
        """The name that its descriptor had."""

    @property
    def vertex_arguments(self) -> list[Argument]:
        """The vertex function's arguments by reflection."""

    @property
    def fragment_arguments(self) -> list[Argument]:
        """The fragment function's arguments by reflection."""

    @property
    def support_indirect_command_buffers(self) -> bool:
        """Whether commands of an IndirectCommandBuffer may draw with it."""

    @property
    def gpu_resource_id(self) -> int:
        """What an argument buffer holds for a render_pipeline_state."""

    def function_handle(self, function: Function, stage: int) -> FunctionHandle | None:
        """A visible function that is linked to a stage; None for others."""

    def new_visible_function_table(self, descriptor: VisibleFunctionTableDescriptor, stage: int) -> VisibleFunctionTable:
        """A table that a stage calls functions through."""

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

    def __repr__(self) -> str: ...

class RenderPassAttachmentDescriptor:
    """What the attachments of a pass share."""

    @property
    def texture(self) -> Texture | None:
        """What is drawn into; None: there is no such attachment."""

    @texture.setter
    def texture(self, value: Texture | None) -> None: ...

    @property
    def resolve_texture(self) -> Texture | None:
        """Where the samples of each pixel become one."""

    @resolve_texture.setter
    def resolve_texture(self, value: Texture | None) -> None: ...

    @property
    def load_action(self) -> LoadAction:
        """What the texture holds when the pass begins."""

    @load_action.setter
    def load_action(self, arg: LoadAction, /) -> None: ...

    @property
    def store_action(self) -> StoreAction:
        """
        What becomes of it when the pass ends; StoreAction.Unknown: the encoder says it.
        """

    @store_action.setter
    def store_action(self, arg: StoreAction, /) -> None: ...

    @property
    def store_action_options(self) -> int:
        """Flags of StoreActionOptions."""

    @store_action_options.setter
    def store_action_options(self, arg: int, /) -> None: ...

    @property
    def level(self) -> int:
        """Mip level that is drawn into."""

    @level.setter
    def level(self, arg: int, /) -> None: ...

    @property
    def slice(self) -> int:
        """Image of an array or face of a cube that is drawn into."""

    @slice.setter
    def slice(self, arg: int, /) -> None: ...

    @property
    def depth_plane(self) -> int:
        """Plane of a three-dimensional texture that is drawn into."""

    @depth_plane.setter
    def depth_plane(self, arg: int, /) -> None: ...

    @property
    def resolve_level(self) -> int:
        """Mip level of `resolve_texture`."""

    @resolve_level.setter
    def resolve_level(self, arg: int, /) -> None: ...

    @property
    def resolve_slice(self) -> int:
        """Image or face of `resolve_texture`."""

    @resolve_slice.setter
    def resolve_slice(self, arg: int, /) -> None: ...

    @property
    def resolve_depth_plane(self) -> int:
        """Plane of `resolve_texture`."""

    @resolve_depth_plane.setter
    def resolve_depth_plane(self, arg: int, /) -> None: ...

class RenderPassColorAttachmentDescriptor(RenderPassAttachmentDescriptor):
    """A colour that a pass draws into."""

    def __init__(self) -> None: ...

    @property
    def clear_color(self) -> ClearColor:
        """What LoadAction.Clear fills it with; a tuple will do."""

    @clear_color.setter
    def clear_color(self, arg: ClearColor | Sequence[float], /) -> None: ...

class RenderPassDepthAttachmentDescriptor(RenderPassAttachmentDescriptor):
    """The depth that a pass tests."""

    def __init__(self) -> None: ...

    @property
    def clear_depth(self) -> float:
        """What LoadAction.Clear fills it with, 0 to 1."""

    @clear_depth.setter
    def clear_depth(self, arg: float, /) -> None: ...

    @property
    def depth_resolve_filter(self) -> MultisampleDepthResolveFilter:
        """Which of a pixel's depths a resolve keeps."""

    @depth_resolve_filter.setter
    def depth_resolve_filter(self, arg: MultisampleDepthResolveFilter, /) -> None: ...

class RenderPassStencilAttachmentDescriptor(RenderPassAttachmentDescriptor):
    """The stencil that a pass tests."""

    def __init__(self) -> None: ...

    @property
    def clear_stencil(self) -> int:
        """What LoadAction.Clear fills it with."""

    @clear_stencil.setter
    def clear_stencil(self, arg: int, /) -> None: ...

    @property
    def stencil_resolve_filter(self) -> MultisampleStencilResolveFilter:
        """Which of a pixel's values a resolve keeps."""

    @stencil_resolve_filter.setter
    def stencil_resolve_filter(self, arg: MultisampleStencilResolveFilter, /) -> None: ...

class RenderPassColorAttachmentDescriptorArray:
    """The colours that a pass draws into."""

    def __getitem__(self, index: int) -> RenderPassColorAttachmentDescriptor: ...

    def __setitem__(self, index: int, descriptor: RenderPassColorAttachmentDescriptor | None) -> None: ...

    def object(self, index: int) -> RenderPassColorAttachmentDescriptor:
        """The descriptor at an index, made when it is first asked for."""

    def set_object(self, descriptor: RenderPassColorAttachmentDescriptor | None, index: int) -> None:
        """Put a copy of a descriptor there; None puts a new one."""

class RenderPassDescriptor:
    """What a pass draws into."""

    def __init__(self) -> None: ...

    @staticmethod
    def render_pass_descriptor() -> RenderPassDescriptor:
        """A descriptor without attachments, as the constructor makes."""

    @property
    def color_attachments(self) -> RenderPassColorAttachmentDescriptorArray:
        """By the n of [[color(n)]]."""

    def color_attachment(self, index: int) -> RenderPassColorAttachmentDescriptor:
        """The colour that [[color(index)]] is drawn into."""

    @property
    def depth_attachment(self) -> RenderPassDepthAttachmentDescriptor:
        """The depth that is tested; set by copy, None for a new one."""

    @depth_attachment.setter
    def depth_attachment(self, value: RenderPassDepthAttachmentDescriptor | None) -> None: ...

    @property
    def stencil_attachment(self) -> RenderPassStencilAttachmentDescriptor:
        """The stencil that is tested; set by copy, None for a new one."""

    @stencil_attachment.setter
    def stencil_attachment(self, value: RenderPassStencilAttachmentDescriptor | None) -> None: ...

    @property
    def visibility_result_buffer(self) -> Buffer | None:
        """Where `set_visibility_result_mode` counts samples, 8 bytes each."""

    @visibility_result_buffer.setter
    def visibility_result_buffer(self, value: Buffer | None) -> None: ...

    @property
    def rasterization_rate_map(self) -> RasterizationRateMap | None:
        """How the screen becomes the image that is drawn."""

    @rasterization_rate_map.setter
    def rasterization_rate_map(self, value: RasterizationRateMap | None) -> None: ...

    @property
    def sample_positions(self) -> list[SamplePosition]:
        """Where in a pixel its samples lie; empty: where Metal puts them."""

    def set_sample_positions(self, positions: Sequence[SamplePosition | Sequence[float]]) -> None:
        """
        Say where in a pixel its samples lie, x and y of each; an empty list: where Metal puts them.
        """

    @property
    def render_target_width(self) -> int:
        """Width in pixels; 0: that of the smallest attachment."""

    @render_target_width.setter
    def render_target_width(self, arg: int, /) -> None: ...

    @property
    def render_target_height(self) -> int:
        """Height in pixels; 0: that of the smallest attachment."""

    @render_target_height.setter
    def render_target_height(self, arg: int, /) -> None: ...

    @property
    def render_target_array_length(self) -> int:
        """
        Images that [[render_target_array_index]] chooses from; 0: there is one.
        """

    @render_target_array_length.setter
    def render_target_array_length(self, arg: int, /) -> None: ...

    @property
    def default_raster_sample_count(self) -> int:
        """Samples of a pixel in a pass without attachments."""

    @default_raster_sample_count.setter
    def default_raster_sample_count(self, arg: int, /) -> None: ...

    @property
    def sample_buffer_attachments(self) -> RenderPassSampleBufferAttachmentDescriptorArray:
        """When samples of counters are taken."""

class RenderPassSampleBufferAttachmentDescriptor:
    """When a render pass takes samples of counters."""

    def __init__(self) -> None: ...

    @property
    def sample_buffer(self) -> CounterSampleBuffer | None:
        """Where the samples go; None: none are taken."""

    @sample_buffer.setter
    def sample_buffer(self, value: CounterSampleBuffer | None) -> None: ...

    @property
    def start_of_vertex_sample_index(self) -> int:
        """Of the sample before the vertex functions; -1: none."""

    @start_of_vertex_sample_index.setter
    def start_of_vertex_sample_index(self, arg: int, /) -> None: ...

    @property
    def end_of_vertex_sample_index(self) -> int:
        """Of the sample after the vertex functions; -1: none."""

    @end_of_vertex_sample_index.setter
    def end_of_vertex_sample_index(self, arg: int, /) -> None: ...

    @property
    def start_of_fragment_sample_index(self) -> int:
        """Of the sample before the fragment functions; -1: none."""

    @start_of_fragment_sample_index.setter
    def start_of_fragment_sample_index(self, arg: int, /) -> None: ...

    @property
    def end_of_fragment_sample_index(self) -> int:
        """Of the sample after the fragment functions; -1: none."""

    @end_of_fragment_sample_index.setter
    def end_of_fragment_sample_index(self, arg: int, /) -> None: ...

class RenderPassSampleBufferAttachmentDescriptorArray:
    """When a render pass takes samples of counters."""

    def __getitem__(self, index: int) -> RenderPassSampleBufferAttachmentDescriptor: ...

    def __setitem__(self, index: int, descriptor: RenderPassSampleBufferAttachmentDescriptor | None) -> None: ...

    def object(self, index: int) -> RenderPassSampleBufferAttachmentDescriptor:
        """The descriptor at an index, made when it is first asked for."""

    def set_object(self, descriptor: RenderPassSampleBufferAttachmentDescriptor | None, index: int) -> None:
        """Put a copy of a descriptor there; None puts a new one."""

class CommandQueue:
    """Runs command buffers in the order they are committed."""

    @property
    def device(self) -> Device:
        """The device that made it."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

    def insert_debug_capture_boundary(self) -> None:
        """A mark between command buffers, which captures show."""

    @overload
    def command_buffer(self) -> CommandBuffer:
        """A new command buffer, not yet committed."""

    @overload
    def command_buffer(self, descriptor: CommandBufferDescriptor) -> CommandBuffer: ...

    def __repr__(self) -> str: ...

class CommandBuffer:
    """Commands that the device runs together."""

    @property
    def device(self) -> Device:
        """The device that runs the commands."""

    @property
    def command_queue(self) -> CommandQueue:
        """The queue that made it, and that it is committed to."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    @property
    def status(self) -> CommandBufferStatus:
        """
        How far it has come: NotEnqueued, Enqueued, Committed, Scheduled, Completed or Error.
        """

    @property
    def error(self) -> str | None:
        """What went wrong, or None."""

    @property
    def error_code(self) -> int:
        """A CommandBufferError, or 0."""

    @property
    def mtl_ptr(self) -> int:
        """Address of the Metal object."""

    @property
    def gpu_start_time(self) -> float:
        """Seconds; 0 until it has finished."""

    @property
    def gpu_end_time(self) -> float:
        """When its last command ended, in seconds; 0 until it has finished."""

    @property
    def kernel_start_time(self) -> float:
        """When it was scheduled, in seconds."""

    @property
    def kernel_end_time(self) -> float:
        """When it was handed to the device, in seconds; 0 until then."""

    def push_debug_group(self, name: str) -> None:
        """Name a group that the commands to come are in."""

    def pop_debug_group(self) -> None:
        """End the group that was pushed last."""

    @overload
    def compute_command_encoder(self, dispatch_type: DispatchType = DispatchType.Serial) -> ComputeCommandEncoder:
        """Begin a series of dispatches."""

    @overload
    def compute_command_encoder(self, descriptor: ComputePassDescriptor) -> ComputeCommandEncoder: ...

    def render_command_encoder(self, descriptor: RenderPassDescriptor) -> RenderCommandEncoder:
        """Begin a render pass: a series of draws into the descriptor's textures."""

    def parallel_render_command_encoder(self, descriptor: RenderPassDescriptor) -> ParallelRenderCommandEncoder:
        """Begin a render pass of several encoders."""

    @overload
    def blit_command_encoder(self) -> BlitCommandEncoder:
        """Begin a series of copies."""

    @overload
    def blit_command_encoder(self, descriptor: BlitPassDescriptor) -> BlitCommandEncoder: ...

    def encode_signal_event(self, event: Event, value: int) -> None:
        """Set the event to `value` when the commands before have finished."""

    def encode_wait_for_event(self, event: Event, value: int) -> None:
        """Hold the commands that follow until the event has reached `value`."""

    def present_drawable(self, drawable: Drawable) -> None:
        """Show the drawable when the commands have finished."""

    def present_drawable_after_minimum_duration(self, drawable: Drawable, duration: float) -> None:
        """
        The same, when what is shown before has been so for `duration` seconds.
        """

    def present_drawable_at_time(self, drawable: Drawable, time: float) -> None:
        """
        The same, not before `time`, in seconds of the clock of gpu_start_time.
        """

    def commit(self) -> None:
        """Hand the commands to the device; returns at once."""

    def enqueue(self) -> None:
        """Take its place in the queue before it is committed."""

    def wait(self, timeout: float | None = None) -> bool:
        """
        Wait until it has finished, at most `timeout` seconds; False if it hasn't. Raises ExecutionError if it failed.
        """

    def wait_until_completed(self) -> None:
        """Wait until it has finished. Raises ExecutionError if it failed."""

    def wait_until_scheduled(self) -> None:
        """Wait until the device has begun or is about to."""

    def done(self) -> bool:
        """Whether it has finished, well or badly."""

    def add_completed_handler(self, callback: Callable[[CommandBuffer], object]) -> None:
        """
        Call `callback(self)` when it has finished, from any thread; at once when it has.
        """

    def __repr__(self) -> str: ...

class ComputeCommandEncoder:
    """Dispatches of kernels into a command buffer."""

    @property
    def device(self) -> Device:
        """The device that runs the commands."""

    @property
    def label(self) -> str:
        """A name, for messages and captures."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    def push_debug_group(self, name: str) -> None:
        """Name a group that the commands to come are in."""

    def pop_debug_group(self) -> None:
        """End the group that was pushed last."""

    def insert_debug_signpost(self, text: str) -> None:
        """A mark between commands, which captures show."""

    def end_encoding(self) -> None:
        """No more commands follow."""

    def __enter__(self) -> Self: ...

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None: ...

    def update_fence(self, fence: Fence) -> None:
        """Signal the fence when the commands so far have finished."""

    def wait_for_fence(self, fence: Fence) -> None:
        """Hold the commands that follow until the fence is signalled."""

    def set_compute_pipeline_state(self, state: ComputePipelineState) -> None:
        """The kernel that the dispatches run."""

    def set_buffer(self, buffer: Buffer | None, offset: int, index: int) -> None:
        """Bind a buffer from byte `offset` on; None unbinds."""

    def set_buffer_offset(self, offset: int, index: int) -> None:
        """Move the offset of the buffer bound there."""

    @overload
    def set_bytes(self, data: _Buffer, length: int, index: int) -> None:
        """Bind a copy of the first `length` bytes."""

    @overload
    def set_bytes(self, data: _Buffer, index: int) -> None:
        """Bind a copy of the bytes, at most 4096."""

    def set_texture(self, texture: Texture | None, index: int) -> None:
        """Bind a texture; None unbinds."""

    @overload
    def set_sampler_state(self, sampler: SamplerState | None, index: int) -> None:
        """Bind a sampler; None unbinds."""

    @overload
    def set_sampler_state(self, sampler: SamplerState | None, lod_min_clamp: float, lod_max_clamp: float, index: int) -> None:
        """Bind a sampler with other limits of the level of detail."""

    def set_visible_function_table(self, table: VisibleFunctionTable | None, index: int) -> None:
        """
        Bind a table of functions; None unbinds. Tables share their indices with buffers.
        """

    def set_threadgroup_memory_length(self, length: int, index: int) -> None:
        """Bytes of the threadgroup argument; a multiple of 16."""

    def use_resource(self, resource: Resource, usage: int) -> None:
        """
        Say that kernels reach the resource through an argument buffer, and how: flags of ResourceUsage.
        """

    def use_heap(self, heap: Heap) -> None:
        """The same of all that is in a heap, which kernels may then read."""

    def set_stage_in_region(self, region: Region | tuple[Origin, Size]) -> None:
        """
        The threads that [[stage_in]] is fetched for; without it, all of the grid.
        """

    def set_stage_in_region_indirect(self, buffer: Buffer, offset: int) -> None:
        """
        The same: origin and size are the six uint32 at byte `offset` of the buffer when the device gets there.
        """

    def set_buffers(self, buffers: Sequence[Buffer | None], offsets: Sequence[int], range: Range | Sequence[int]) -> None:
        """
        Bind a buffer to each index of the range, from its byte of `offsets` on; None unbinds.
        """

    def set_textures(self, textures: Sequence[Texture | None], range: Range | Sequence[int]) -> None:
        """Bind a texture to each index of the range; None unbinds."""

    @overload
    def set_sampler_states(self, samplers: Sequence[SamplerState | None], range: Range | Sequence[int]) -> None:
        """Bind a sampler to each index of the range; None unbinds."""

    @overload
    def set_sampler_states(self, samplers: Sequence[SamplerState | None], lod_min_clamps: Sequence[float], lod_max_clamps: Sequence[float], range: Range | Sequence[int]) -> None:
        """The same, each with other limits of the level of detail."""

    def set_visible_function_tables(self, tables: Sequence[VisibleFunctionTable | None], range: Range | Sequence[int]) -> None:
        """Bind a table of functions to each index of the range; None unbinds."""

    def use_resources(self, resources: Sequence[Resource], usage: int) -> None:
        """`use_resource` of each of them."""

    def use_heaps(self, heaps: Sequence[Heap]) -> None:
        """`use_heap` of each of them."""

    @overload
    def memory_barrier(self, resources: Sequence[Resource]) -> None:
        """Commands that follow see what those before wrote to these resources."""

    @overload
    def memory_barrier(self, scope: int) -> None:
        """Commands that follow see what those before wrote."""

    @overload
    def dispatch_threads(self, threads_per_grid: Size | int | Sequence[int], threads_per_threadgroup: Size | int | Sequence[int]) -> None:
        """Run exactly so many threads."""

    @overload
    def dispatch_threads(self, threads_x: int, threads_y: int, threads_z: int, threads_per_group_x: int, threads_per_group_y: int, threads_per_group_z: int) -> None: ...

    @overload
    def dispatch_threads(self, threads_per_grid_w: int, threads_per_grid_h: int, threads_per_grid_d: int, threads_per_threadgroup_w: int, threads_per_threadgroup_h: int, threads_per_threadgroup_d: int) -> None: ...

    @overload
    def dispatch_threadgroups(self, threadgroups_per_grid: Size | int | Sequence[int], threads_per_threadgroup: Size | int | Sequence[int]) -> None:
        """Run so many whole threadgroups."""

    @overload
    def dispatch_threadgroups(self, threadgroups_x: int, threadgroups_y: int, threadgroups_z: int, threads_x: int, threads_y: int, threads_z: int) -> None: ...

    @overload
    def dispatch_threadgroups(self, threadgroups_per_grid_w: int, threadgroups_per_grid_h: int, threadgroups_per_grid_d: int, threads_per_threadgroup_w: int, threads_per_threadgroup_h: int, threads_per_threadgroup_d: int) -> None: ...

    def dispatch_threadgroups_indirect(self, buffer: Buffer, offset: int, threads_per_threadgroup: Size | int | Sequence[int]) -> None:
        """
        Run as many threadgroups as the three uint32 at byte `offset` of the buffer say when the device gets there.
        """

    def execute_commands_in_buffer(self, commands: IndirectCommandBuffer, range: Range | Sequence[int]) -> None:
        """Run commands of an IndirectCommandBuffer."""

    def execute_commands_in_buffer_indirect(self, commands: IndirectCommandBuffer, range_buffer: Buffer, offset: int) -> None:
        """
        The same: location and length are the two uint32 at byte `offset` of the buffer when the device gets there.
        """

    def sample_counters_in_buffer(self, sample_buffer: CounterSampleBuffer, sample_index: int, barrier: bool = True) -> None:
        """Take a sample when the dispatches before have ended."""

class RenderCommandEncoder:
    """Draws of a render pass into a command buffer."""

    @property
    def device(self) -> Device:
        """The device that runs the commands."""

    @property
    def label(self) -> str:
        """A name, for messages and captures."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    def push_debug_group(self, name: str) -> None:
        """Name a group that the commands to come are in."""

    def pop_debug_group(self) -> None:
        """End the group that was pushed last."""

    def insert_debug_signpost(self, text: str) -> None:
        """A mark between commands, which captures show."""

    def end_encoding(self) -> None:
        """No more commands follow."""

    def __enter__(self) -> Self: ...

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None: ...

    def set_render_pipeline_state(self, state: RenderPipelineState) -> None:
        """The functions that draws run."""

    @overload
    def set_viewport(self, viewport: Viewport | Sequence[float]) -> None:
        """Say where on the targets draws land; without it, all of them."""

    @overload
    def set_viewport(self, origin_x: float, origin_y: float, width: float, height: float, znear: float = 0.0, zfar: float = 1.0) -> None: ...

    def set_viewports(self, viewports: Sequence[Viewport | Sequence[float]]) -> None:
        """Several, which [[viewport_array_index]] chooses from."""

    @overload
    def set_scissor_rect(self, rect: ScissorRect | Sequence[int]) -> None:
        """Say which pixels draws may change; without it, all."""

    @overload
    def set_scissor_rect(self, x: int, y: int, width: int, height: int) -> None: ...

    def set_scissor_rects(self, rects: Sequence[ScissorRect | Sequence[int]]) -> None:
        """One for each viewport."""

    def set_cull_mode(self, mode: CullMode) -> None:
        """Say which triangles are left out."""

    def set_front_facing_winding(self, winding: Winding) -> None:
        """Say how the vertices of a triangle go round that faces the viewer."""

    def set_triangle_fill_mode(self, mode: TriangleFillMode) -> None:
        """Say whether triangles are filled or outlined."""

    def set_depth_clip_mode(self, mode: DepthClipMode) -> None:
        """
        Say what becomes of what lies in front of the near plane or behind the far one.
        """

    def set_depth_bias(self, depth_bias: float, slope_scale: float, clamp: float) -> None:
        """
        Move depths by so many of the smallest steps, and by so many slopes of the triangle; `clamp`: at most so far.
        """

    def set_depth_stencil_state(self, state: DepthStencilState | None) -> None:
        """Say how depth and stencil are tested; None: they are not."""

    def set_stencil_reference_value(self, value: int) -> None:
        """
        What stencil tests compare with, and what StencilOperation.Replace stores.
        """

    def set_stencil_reference_values(self, front: int, back: int) -> None:
        """One for triangles that face the viewer, one for others."""

    def set_blend_color(self, red: float, green: float, blue: float, alpha: float) -> None:
        """The colour of BlendFactor.BlendColor and its kin."""

    def set_visibility_result_mode(self, mode: VisibilityResultMode, offset: int) -> None:
        """
        Count samples that pass the tests, at byte `offset` of the pass' `visibility_result_buffer`.
        """

    @overload
    def set_vertex_buffer(self, buffer: Buffer | None, offset: int, index: int) -> None:
        """Bind a buffer from byte `offset` on; None unbinds."""

    @overload
    def set_vertex_buffer(self, buffer: Buffer, offset: int, stride: int, index: int) -> None:
        """
        The same for a layout without a stride of its own: bytes from one element to the next.
        """

    def set_vertex_buffer_offset(self, offset: int, index: int) -> None:
        """Move the offset of the buffer bound there."""

    @overload
    def set_vertex_bytes(self, data: _Buffer, length: int | None, index: int) -> None:
        """Bind a copy of the first `length` bytes."""

    @overload
    def set_vertex_bytes(self, data: _Buffer, index: int) -> None:
        """Bind a copy of the bytes, at most 4096."""

    def set_vertex_texture(self, texture: Texture | None, index: int) -> None:
        """Bind a texture; None unbinds."""

    @overload
    def set_vertex_sampler_state(self, sampler: SamplerState | None, index: int) -> None:
        """Bind a sampler; None unbinds."""

    @overload
    def set_vertex_sampler_state(self, sampler: SamplerState | None, lod_min_clamp: float, lod_max_clamp: float, index: int) -> None:
        """Bind a sampler with other limits of the level of detail."""

    def set_vertex_visible_function_table(self, table: VisibleFunctionTable | None, index: int) -> None:
        """
        Bind a table of functions; None unbinds. Tables share their indices with buffers.
        """

    def set_fragment_buffer(self, buffer: Buffer | None, offset: int, index: int) -> None:
        """Bind a buffer from byte `offset` on; None unbinds."""

    def set_fragment_buffer_offset(self, offset: int, index: int) -> None:
        """Move the offset of the buffer bound there."""

    @overload
    def set_fragment_bytes(self, data: _Buffer, length: int | None, index: int) -> None:
        """Bind a copy of the first `length` bytes."""

    @overload
    def set_fragment_bytes(self, data: _Buffer, index: int) -> None:
        """Bind a copy of the bytes, at most 4096."""

    def set_fragment_texture(self, texture: Texture | None, index: int) -> None:
        """Bind a texture; None unbinds."""

    @overload
    def set_fragment_sampler_state(self, sampler: SamplerState | None, index: int) -> None:
        """Bind a sampler; None unbinds."""

    @overload
    def set_fragment_sampler_state(self, sampler: SamplerState | None, lod_min_clamp: float, lod_max_clamp: float, index: int) -> None:
        """Bind a sampler with other limits of the level of detail."""

    def set_fragment_visible_function_table(self, table: VisibleFunctionTable | None, index: int) -> None:
        """
        Bind a table of functions; None unbinds. Tables share their indices with buffers.
        """

    @overload
    def set_vertex_buffers(self, buffers: Sequence[Buffer | None], offsets: Sequence[int], range: Range | Sequence[int]) -> None:
        """
        Bind a buffer to each index of the range, from its byte of `offsets` on; None unbinds.
        """

    @overload
    def set_vertex_buffers(self, buffers: Sequence[Buffer], offsets: Sequence[int], strides: Sequence[int], range: Range | Sequence[int]) -> None:
        """
        The same for layouts without strides of their own: bytes from one element to the next.
        """

    def set_vertex_textures(self, textures: Sequence[Texture | None], range: Range | Sequence[int]) -> None:
        """Bind a texture to each index of the range; None unbinds."""

    @overload
    def set_vertex_sampler_states(self, samplers: Sequence[SamplerState | None], range: Range | Sequence[int]) -> None:
        """Bind a sampler to each index of the range; None unbinds."""

    @overload
    def set_vertex_sampler_states(self, samplers: Sequence[SamplerState | None], lod_min_clamps: Sequence[float], lod_max_clamps: Sequence[float], range: Range | Sequence[int]) -> None:
        """The same, each with other limits of the level of detail."""

    def set_vertex_visible_function_tables(self, tables: Sequence[VisibleFunctionTable | None], range: Range | Sequence[int]) -> None:
        """Bind a table of functions to each index of the range; None unbinds."""

    def set_fragment_buffers(self, buffers: Sequence[Buffer | None], offsets: Sequence[int], range: Range | Sequence[int]) -> None:
        """
        Bind a buffer to each index of the range, from its byte of `offsets` on; None unbinds.
        """

    def set_fragment_textures(self, textures: Sequence[Texture | None], range: Range | Sequence[int]) -> None:
        """Bind a texture to each index of the range; None unbinds."""

    @overload
    def set_fragment_sampler_states(self, samplers: Sequence[SamplerState | None], range: Range | Sequence[int]) -> None:
        """Bind a sampler to each index of the range; None unbinds."""

    @overload
    def set_fragment_sampler_states(self, samplers: Sequence[SamplerState | None], lod_min_clamps: Sequence[float], lod_max_clamps: Sequence[float], range: Range | Sequence[int]) -> None:
        """The same, each with other limits of the level of detail."""

    def set_fragment_visible_function_tables(self, tables: Sequence[VisibleFunctionTable | None], range: Range | Sequence[int]) -> None:
        """Bind a table of functions to each index of the range; None unbinds."""

    def use_resource(self, resource: Resource, usage: int, stages: int | None = None) -> None:
        """
        Say that functions reach the resource through an argument buffer, and how: flags of ResourceUsage and RenderStages.
        """

    def use_heap(self, heap: Heap, stages: int | None = None) -> None:
        """The same of all that is in a heap, which functions may then read."""

    def use_resources(self, resources: Sequence[Resource], usage: int, stages: int | None = None) -> None:
        """`use_resource` of each of them."""

    def use_heaps(self, heaps: Sequence[Heap], stages: int | None = None) -> None:
        """`use_heap` of each of them."""

    @overload
    def memory_barrier(self, resources: Sequence[Resource], after: int, before: int) -> None:
        """The same of what was written to these resources."""

    @overload
    def memory_barrier(self, scope: int, after: int, before: int) -> None:
        """
        Stages `before` of draws that follow see what stages `after` of those before wrote.
        """

    def sample_counters_in_buffer(self, sample_buffer: CounterSampleBuffer, sample_index: int, barrier: bool = True) -> None:
        """Take a sample when the draws before have ended."""

    def texture_barrier(self) -> None:
        """Draws that follow may read what those before drew."""

    def update_fence(self, fence: Fence, stages: int = 2) -> None:
        """Signal the fence when these stages of the draws so far have finished."""

    def wait_for_fence(self, fence: Fence, stages: int = 1) -> None:
        """
        Hold these stages of the draws that follow until the fence is signalled.
        """

    @overload
    def draw_primitives(self, primitive_type: PrimitiveType, vertex_start: int, vertex_count: int, instance_count: int = 1, base_instance: int = 0) -> None:
        """Draw vertices in order, `instance_count` times."""

    @overload
    def draw_primitives(self, type: PrimitiveType, start: int, count: int) -> None: ...

    def draw_primitives_instanced(self, primitive_type: PrimitiveType, vertex_start: int, vertex_count: int, instance_count: int) -> None:
        """Draw vertices in order, `instance_count` times."""

    def draw_primitives_indirect(self, primitive_type: PrimitiveType, indirect_buffer: Buffer, indirect_buffer_offset: int) -> None:
        """
        The same: vertex count, instance count, vertex start and base instance are the four uint32 at byte `indirect_buffer_offset` of the buffer when the device gets there.
        """

    @overload
    def draw_indexed_primitives(self, primitive_type: PrimitiveType, index_count: int, index_type: IndexType, index_buffer: Buffer, index_buffer_offset: int, instance_count: int = 1, base_vertex: int = 0, base_instance: int = 0) -> None:
        """
        Draw the vertices that a buffer of indices names, from byte `index_buffer_offset` on. `base_vertex` is added to each index.
        """

    @overload
    def draw_indexed_primitives(self, type: PrimitiveType, index_count: int, index_type: IndexType, index_buffer: Buffer, index_buffer_offset: int) -> None: ...

    def draw_indexed_primitives_instanced(self, primitive_type: PrimitiveType, index_count: int, index_type: IndexType, index_buffer: Buffer, index_buffer_offset: int, instance_count: int) -> None:
        """
        Draw the vertices that a buffer of indices names, `instance_count` times.
        """

    def draw_indexed_primitives_indirect(self, primitive_type: PrimitiveType, index_type: IndexType, index_buffer: Buffer, index_buffer_offset: int, indirect_buffer: Buffer, indirect_buffer_offset: int) -> None:
        """
        The same: index count, instance count, first index, base vertex and base instance are the five 32-bit numbers at byte `indirect_buffer_offset` of the buffer when the device gets there.
        """

    def execute_commands_in_buffer(self, commands: IndirectCommandBuffer, range: Range | Sequence[int]) -> None:
        """Run draws of an IndirectCommandBuffer."""

    def execute_commands_in_buffer_indirect(self, commands: IndirectCommandBuffer, range_buffer: Buffer, offset: int) -> None:
        """
        The same: location and length are the two uint32 at byte `offset` of the buffer when the device gets there.
        """

    def set_color_store_action(self, store_action: StoreAction, color_attachment_index: int) -> None:
        """
        Say what becomes of a colour whose store action is StoreAction.Unknown.
        """

    def set_depth_store_action(self, store_action: StoreAction) -> None:
        """The same of the depth."""

    def set_stencil_store_action(self, store_action: StoreAction) -> None:
        """The same of the stencil."""

    def set_color_store_action_options(self, store_action_options: int, color_attachment_index: int) -> None:
        """
        What the store action of a colour keeps besides: flags of StoreActionOptions.
        """

    def set_depth_store_action_options(self, store_action_options: int) -> None:
        """The same of the depth."""

    def set_stencil_store_action_options(self, store_action_options: int) -> None:
        """The same of the stencil."""

class ParallelRenderCommandEncoder:
    """Several encoders of one render pass, which threads may share."""

    @property
    def device(self) -> Device:
        """The device that runs the commands."""

    @property
    def label(self) -> str:
        """A name, for messages and captures."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    def push_debug_group(self, name: str) -> None:
        """Name a group that the commands to come are in."""

    def pop_debug_group(self) -> None:
        """End the group that was pushed last."""

    def insert_debug_signpost(self, text: str) -> None:
        """A mark between commands, which captures show."""

    def end_encoding(self) -> None:
        """No more commands follow."""

    def __enter__(self) -> Self: ...

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None: ...

    def set_color_store_action(self, store_action: StoreAction, color_attachment_index: int) -> None:
        """
        Say what becomes of a colour whose store action is StoreAction.Unknown.
        """

    def set_depth_store_action(self, store_action: StoreAction) -> None:
        """The same of the depth."""

    def set_stencil_store_action(self, store_action: StoreAction) -> None:
        """The same of the stencil."""

    def set_color_store_action_options(self, store_action_options: int, color_attachment_index: int) -> None:
        """
        What the store action of a colour keeps besides: flags of StoreActionOptions.
        """

    def set_depth_store_action_options(self, store_action_options: int) -> None:
        """The same of the depth."""

    def set_stencil_store_action_options(self, store_action_options: int) -> None:
        """The same of the stencil."""

    def render_command_encoder(self) -> RenderCommandEncoder:
        """
        A further encoder of the pass. All draw in the order in which they were made.
        """

class BlitCommandEncoder:
    """Copies of buffers and textures into a command buffer."""

    @property
    def device(self) -> Device:
        """The device that runs the commands."""

    @property
    def label(self) -> str:
        """A name, for messages and captures."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    def push_debug_group(self, name: str) -> None:
        """Name a group that the commands to come are in."""

    def pop_debug_group(self) -> None:
        """End the group that was pushed last."""

    def insert_debug_signpost(self, text: str) -> None:
        """A mark between commands, which captures show."""

    def end_encoding(self) -> None:
        """No more commands follow."""

    def __enter__(self) -> Self: ...

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None: ...

    def update_fence(self, fence: Fence) -> None:
        """Signal the fence when the commands so far have finished."""

    def wait_for_fence(self, fence: Fence) -> None:
        """Hold the commands that follow until the fence is signalled."""

    def copy_from_buffer(self, source_buffer: Buffer, source_offset: int, destination_buffer: Buffer, destination_offset: int, size: int) -> None:
        """Copy bytes of one buffer into another."""

    def copy_from_buffer_to_buffer(self, source: Buffer, source_offset: int, destination: Buffer, destination_offset: int, size: int) -> None:
        """Copy bytes of one buffer into another."""

    def fill_buffer(self, buffer: Buffer, range: Range | Sequence[int], value: int) -> None:
        """Set bytes of a buffer to `value`."""

    @overload
    def synchronize_resource(self, resource: Resource) -> None:
        """Make what the device wrote to a managed resource visible to the CPU."""

    @overload
    def synchronize_resource(self, buffer: Resource) -> None: ...

    def sample_counters_in_buffer(self, sample_buffer: CounterSampleBuffer, sample_index: int, barrier: bool = True) -> None:
        """Take a sample when the commands before have ended."""

    def resolve_counters(self, sample_buffer: CounterSampleBuffer, range: Range | Sequence[int], destination_buffer: Buffer, destination_offset: int) -> None:
        """Copy samples into a buffer, 8 bytes each."""

    @overload
    def copy_from_buffer_to_texture(self, source_buffer: Buffer, source_offset: int, source_bytes_per_row: int, source_bytes_per_image: int, source_size: Size | int | Sequence[int], destination_texture: Texture, destination_slice: int, destination_level: int, destination_origin: Origin | int | Sequence[int], options: int = 0) -> None:
        """
        Copy texels of a buffer into a texture; `options`: of texels with depth and stencil, which.
        """

    @overload
    def copy_from_buffer_to_texture(self, source: Buffer, source_offset: int, source_bytes_per_row: int, source_bytes_per_image: int, source_size: Size | int | Sequence[int], destination: Texture, destination_slice: int, destination_level: int, destination_origin: Origin | int | Sequence[int], options: int = 0) -> None: ...

    @overload
    def copy_from_texture_to_buffer(self, source_texture: Texture, source_slice: int, source_level: int, source_origin: Origin | int | Sequence[int], source_size: Size | int | Sequence[int], destination_buffer: Buffer, destination_offset: int, destination_bytes_per_row: int, destination_bytes_per_image: int, options: int = 0) -> None:
        """
        Copy texels of a texture into a buffer; `options`: of texels with depth and stencil, which.
        """

    @overload
    def copy_from_texture_to_buffer(self, source: Texture, source_slice: int, source_level: int, source_origin: Origin | int | Sequence[int], source_size: Size | int | Sequence[int], destination: Buffer, destination_offset: int, destination_bytes_per_row: int, destination_bytes_per_image: int, options: int = 0) -> None: ...

    def copy_from_texture_to_texture(self, source: Texture, source_slice: int, source_level: int, source_origin: Origin | int | Sequence[int], source_size: Size | int | Sequence[int], destination: Texture, destination_slice: int, destination_level: int, destination_origin: Origin | int | Sequence[int]) -> None:
        """Copy texels of one texture into another."""

    def generate_mipmaps(self, texture: Texture) -> None:
        """Fill the smaller levels from the largest."""

    def synchronize_texture(self, texture: Texture, slice: int, level: int) -> None:
        """Make what the device wrote to a managed texture visible to the CPU."""

    def optimize_contents_for_gpu_access(self, texture: Texture) -> None:
        """Let the device arrange the texels for itself."""

    def optimize_contents_for_cpu_access(self, texture: Texture) -> None:
        """Let the device arrange the texels for the CPU."""

    def copy_indirect_command_buffer(self, source: IndirectCommandBuffer, source_range: Range | Sequence[int], destination: IndirectCommandBuffer, destination_index: int) -> None:
        """Copy commands; both buffers must have been made alike."""

    def reset_commands_in_buffer(self, commands: IndirectCommandBuffer, range: Range | Sequence[int]) -> None:
        """Empty commands."""

    def optimize_indirect_command_buffer(self, commands: IndirectCommandBuffer, range: Range | Sequence[int]) -> None:
        """Let the device arrange the commands for itself."""

def dispatch(queue: CommandQueue, pipeline: ComputePipelineState, buffers: Sequence[Buffer | tuple[Buffer, int] | _Buffer | None] = (), textures: Sequence[Texture | None] = (), samplers: Sequence[SamplerState | None] = (), threadgroup_lengths: Sequence[int] = (), grid: Size | int | Sequence[int] = ..., threadgroup: Size | int | Sequence[int] = ..., *, wait: bool = True, threadgroups: bool = False) -> CommandBuffer:
    """
    Run a kernel in a command buffer of its own. `grid` counts threads, or threadgroups if `threadgroups`.
    """

def encode_dispatch(encoder: ComputeCommandEncoder, pipeline: ComputePipelineState, buffers: Sequence[Buffer | tuple[Buffer, int] | _Buffer | None] = (), textures: Sequence[Texture | None] = (), samplers: Sequence[SamplerState | None] = (), threadgroup_lengths: Sequence[int] = (), grid: Size | int | Sequence[int] = ..., threadgroup: Size | int | Sequence[int] = ..., *, threadgroups: bool = False) -> None:
    """Encode a dispatch as `dispatch` would."""

def commit_and_wait(command_buffer: CommandBuffer) -> None:
    """
    The same as its commit() and wait_until_completed(), in less time where the commands are short.
    """

def copy(queue: CommandQueue, source: Buffer, source_offset: int, destination: Buffer, destination_offset: int, size: int, *, wait: bool = True) -> CommandBuffer:
    """Copy bytes between buffers."""

def copy_to_texture(queue: CommandQueue, source: Buffer, offset: int, bytes_per_row: int, bytes_per_image: int, texture: Texture, *, region: Region | tuple[Origin, Size] | None = None, level: int = 0, slice: int = 0, wait: bool = True) -> CommandBuffer:
    """
    Copy texels of a buffer into a texture; 0 bytes per row or image: tight.
    """

def copy_from_texture(queue: CommandQueue, texture: Texture, destination: Buffer, offset: int, bytes_per_row: int, bytes_per_image: int, *, region: Region | tuple[Origin, Size] | None = None, level: int = 0, slice: int = 0, wait: bool = True) -> CommandBuffer:
    """
    Copy texels of a texture into a buffer; 0 bytes per row or image: tight.
    """

class Exporter:
    """
    Base of classes with the buffer protocol, for the array that `_exported()` gives.
    """

    __slots__ = ()

    def __buffer__(self, flags: int, /) -> memoryview: ...

def metal_array(buffer: Buffer, offset: int, code: int, bits: int, shape: Sequence[int]) -> Any:
    """A DLPack capsule of a buffer's elements, of DLPack's device Metal."""

def metal_memory(array: Any) -> tuple[Buffer, int, int, int, list[int]]:
    """
    The buffer of an array of DLPack's device Metal: with its offset, type's code and bits, and shape.
    """

class CaptureDestination(enum.IntEnum):
    """Where a capture goes."""

    DeveloperTools = 1

    GPUTraceDocument = 2

class CaptureError(enum.IntEnum):
    """Codes of the errors of captures."""

    NotSupported = 1

    AlreadyCapturing = 2

    InvalidDescriptor = 3

class CaptureScope:
    """A named part of a program, which captures show or are of."""

    @property
    def device(self) -> Device:
        """The device whose commands it takes."""

    @property
    def command_queue(self) -> CommandQueue | None:
        """None: all queues of the device."""

    @property
    def label(self) -> str:
        """A name, for messages and captures; empty unless set."""

    @label.setter
    def label(self, arg: str, /) -> None: ...

    def begin_scope(self) -> None:
        """
        Command buffers made after this and committed before `end_scope` belong to the scope.
        """

    def end_scope(self) -> None:
        """The scope ends here."""

    def __enter__(self) -> Self: ...

    def __exit__(self, exc_type: object, exc_value: object, traceback: object) -> None: ...

class CaptureDescriptor:
    """What is captured, and where to."""

    def __init__(self) -> None: ...

    @property
    def capture_object(self) -> Device | CommandQueue | CaptureScope | None:
        """Whose command buffers are captured."""

    @capture_object.setter
    def capture_object(self, value: Device | CommandQueue | CaptureScope | None) -> None: ...

    @property
    def destination(self) -> CaptureDestination:
        """DeveloperTools, which only a Mac has, or GPUTraceDocument."""

    @destination.setter
    def destination(self, arg: CaptureDestination, /) -> None: ...

    @property
    def output_url(self) -> str | None:
        """Path of the file of a GPUTraceDocument."""

    @output_url.setter
    def output_url(self, value: str | None) -> None: ...

class CaptureManager:
    """Captures command buffers into a file, one capture at a time."""

    @staticmethod
    def shared_capture_manager() -> CaptureManager:
        """The one capture manager."""

    @property
    def is_capturing(self) -> bool:
        """Whether a capture is being taken."""

    def supports_destination(self, destination: CaptureDestination) -> bool:
        """Whether a capture can go there."""

    def start_capture(self, descriptor: CaptureDescriptor) -> None:
        """
        Capture command buffers that are made from now on and committed before `stop_capture`. Raises ResourceError.
        """

    def start_capture_with_scope(self, scope: CaptureScope) -> None:
        """
        Capture what belongs to a scope: for Apple's developer tools or, where there are none, into a new file `capture-DATE-TIME.metalcapture` in the current folder. Raises ResourceError.
        """

    def start_capture_with_device(self, device: Device) -> None:
        """The same of all queues of a device."""

    def start_capture_with_command_queue(self, queue: CommandQueue) -> None:
        """The same of one queue."""

    def stop_capture(self, *, wait: bool = True) -> dict[str, object]:
        """
        Finish the file; first, unless told not to, wait for what is captured and can go on. Gives `path`, `bytes` and how many command buffers were `unfinished`. Raises ResourceError when the file cannot be written.
        """

    @overload
    def new_capture_scope(self, device: Device) -> CaptureScope:
        """A scope of all queues of a device, or of one queue."""

    @overload
    def new_capture_scope(self, command_queue: CommandQueue) -> CaptureScope: ...

    def new_capture_scope_with_device(self, device: Device) -> CaptureScope:
        """A scope of all queues of a device."""

    @overload
    def new_capture_scope_with_command_queue(self, queue: CommandQueue) -> CaptureScope:
        """A scope of one queue."""

    @overload
    def new_capture_scope_with_command_queue(self, command_queue: CommandQueue) -> CaptureScope: ...

    @property
    def default_capture_scope(self) -> CaptureScope | None:
        """
        What a capture takes where nothing else is asked for; None: all that the device does.
        """

    @default_capture_scope.setter
    def default_capture_scope(self, value: CaptureScope | None) -> None: ...

def shared_capture_manager() -> CaptureManager:
    """The one capture manager."""

def is_software(device: Device) -> bool:
    """Whether the device runs kernels on the processor."""

def thread_count() -> int:
    """Threads that run kernels."""

def set_log_handler(handler: Callable[[str, int, str, str], object] | None) -> None:
    """
    Call `handler(message, level, subsystem, category)` with what kernels write with os_log, before their command buffer's callbacks; None: a line on the process's standard error stream. Nothing on a Mac.
    """

def set_thread_count(count: int) -> None:
    """Threads that run kernels from the next dispatch on."""

def stop(command_buffer: CommandBuffer) -> None:
    """End what the command buffer runs, as Ctrl-C does."""

def keep_dispatch_times(command_buffer: CommandBuffer) -> None:
    """
    Have the command buffer keep when each of its dispatches runs; before it is committed. Nothing on a Mac.
    """

def dispatch_times(command_buffer: CommandBuffer) -> list[tuple[float, float]]:
    """
    Start and end of each dispatch that began, in seconds as `gpu_start_time`; empty before the command buffer has ended, where they were not kept, and on a Mac.
    """

def fault(command_buffer: CommandBuffer) -> dict[str, object] | None:
    """
    How a kernel of the command buffer failed: kernel, address, is_write, nearest_buffer, distance, buffer_length.
    """

def intermediate_text(pipeline: ComputePipelineState) -> str:
    """LLVM's intermediate representation of the kernel."""

def assembly_text(pipeline: ComputePipelineState) -> str:
    """The processor's instructions of the kernel."""

def explained_pipeline(pipeline: ComputePipelineState, counts: bool) -> ComputePipelineState:
    """
    The same kernel compiled anew, so that `explanation` can tell why it is slow; with `counts`, its code counts while it runs.
    """

def explanation(pipeline: ComputePipelineState) -> dict[str, object] | None:
    """
    What the compiler knows of the code that an explained pipeline's last dispatch ran, and what that code counted so far: lane_width, register_bits, findings, lines. None for other pipelines.
    """

@overload
def compile_seconds(library: Library) -> float:
    """Seconds the compiler took; 0 from a cache."""

@overload
def compile_seconds(pipeline: ComputePipelineState) -> float: ...

def compiler_information() -> dict[str, str]:
    """path, compiler_version, llvm_version, cpu, features."""

def complete(source: str, options: CompileOptions, line: int, column: int, headers: Mapping[str, str] = {}, directories: Sequence[str] = []) -> tuple[list[tuple[str, str, str]], list[tuple[str, list[tuple[int, int]], str]], int, int] | None:
    """
    What may be written at a place of the source, counted from 1, the column in bytes of UTF-8: text, kind and declaration of each, best first; the signatures of the call around it, each with the places of its parameters and the comment above it, and which argument; the column where the word begins. None where the compiler cannot tell, as on a Mac.
    """

def cache_path() -> str:
    """Folder of compiled code; empty when nothing is kept."""

def set_cache_path(path: str) -> None:
    """Keep compiled code in this folder; an empty path keeps nothing."""

def cache_size() -> int:
    """Bytes of compiled code on disk."""

def clear_cache() -> None:
    """Forget all compiled code."""

def device_thread_count(device: Device) -> int:
    """Threads that run this device's kernels; 0 on a Mac."""

def shared_event_descriptor(handle: SharedEventHandle) -> int:
    """A file descriptor that stands for the event while the handle lives."""

def shared_event_name(handle: SharedEventHandle) -> str:
    """
    A name for the event, for other processes of this user while this one has it.
    """

def shared_event_handle_of_descriptor(descriptor: int) -> SharedEventHandle:
    """The handle of an event of another process. Raises ResourceError."""

def shared_event_handle_of_name(name: str) -> SharedEventHandle:
    """The handle of an event of another process. Raises ResourceError."""

def serialize_together(archive: BinaryArchive, path: str) -> bool:
    """
    Write the archive with what the file holds already; whether it did: on a Mac it does nothing.
    """

def live_objects() -> list[tuple[object, str, int, str]]:
    """
    Each of Metal's objects that Python holds, with the file, the line and the function that made it.
    """

def set_package_folder(folder: str) -> None:
    """Whose files do not count as the user's program."""
