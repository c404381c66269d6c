# SPDX-License-Identifier: MIT
"""Memory that Buffers and other libraries' arrays have in common: the buffer protocol and DLPack, both ways."""

import ctypes
import gc
import mmap
import weakref

import numpy as np
import pytest

mtlpy_nb = pytest.importorskip("mtlpy_nb")
from mtlpy_nb import StorageMode, _native  # noqa: E402

PAGE = _native.page_size


def pages(dtype=np.float32, count=1):
    return np.frombuffer(mmap.mmap(-1, count * PAGE), dtype)


# ---- the buffer protocol ----


def test_a_memoryview_is_the_buffers_memory(device):
    buffer = device.buffer(np.arange(6, dtype=np.int16).reshape(2, 3))
    view = memoryview(buffer)
    assert (view.format, view.shape, view.nbytes, view.readonly) == ("h", (2, 3), 12, False)
    view[1, 2] = 77
    assert buffer.contents[5] == 77
    assert bytes(device.buffer(np.array([1, 2], np.uint8))) == b"\x01\x02"


def test_a_view_keeps_the_memory(device):
    buffer = device.buffer(np.arange(4, dtype=np.int32))
    gone, view = weakref.ref(buffer), memoryview(buffer)
    del buffer
    assert gone() is None
    assert view.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("storage", [StorageMode.PRIVATE, StorageMode.MANAGED])
def test_only_shared_storage_has_a_view(device, storage):
    buffer = device.buffer(np.arange(4, dtype=np.float32), storage=storage)
    with pytest.raises(BufferError, match=f"a Buffer in {storage.name} storage has no memory to view"):
        memoryview(buffer)
    np.testing.assert_array_equal(np.asarray(buffer), np.arange(4))


def test_a_part_of_a_buffer_is_viewed_alone(device):
    buffer = device.buffer(np.arange(6, dtype=np.float32))
    assert memoryview(buffer[2:4]).tolist() == [2.0, 3.0]


# ---- memory of others ----


def test_whole_pages_are_shared(device):
    array = pages()
    array[:] = 1
    buffer = device.buffer(array, copy=False)
    buffer += 2
    assert (array == 3).all()
    array[5] = 9
    assert buffer.contents[5] == 9
    assert buffer.mtl_ptr != 0


def test_a_part_of_whole_pages_is_shared(device):
    array = pages(count=2)
    buffer = device.buffer(array[10:20].reshape(2, 5), copy=False)
    buffer += 1
    assert buffer.shape == (2, 5)
    assert array.sum() == array[10:20].sum() == 10


def test_the_buffer_keeps_the_array(device):
    array = pages()
    buffer = device.buffer(array, copy=False)
    array[:] = 4
    del array
    gc.collect()
    assert (buffer.contents == 4).all()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: np.zeros(8, np.float32)[1:], ValueError, "needs memory that begins at a page"),
        (lambda: pages()[::2], ValueError, "it is not contiguous"),
        (lambda: pages().view(">f4"), ValueError, "its bytes are swapped"),
        (lambda: np.frombuffer(bytes(PAGE), np.float32), ValueError, "it is read-only"),
        (lambda: pages(np.float64), TypeError, "Metal has no float64"),
        (lambda: pages()[:0], ValueError, "it has no elements"),
        (lambda: 16, TypeError, "copy=False needs an array, got int"),
    ],
)
def test_what_cannot_be_shared(device, make, error, message):
    with pytest.raises(error, match=message):
        device.buffer(make(), copy=False)


def test_only_shared_storage_can_be_without_a_copy(device):
    with pytest.raises(ValueError, match="memory that is not copied has SHARED storage"):
        device.buffer(pages(), storage=StorageMode.PRIVATE, copy=False)


def test_a_buffers_own_memory_is_known_again(device):
    buffer = device.buffer(np.arange(6, dtype=np.float32))
    for data in (buffer, buffer.contents, buffer.numpy()[2:], np.from_dlpack(buffer)):
        again = device.buffer(data, copy=False)
        assert again.mtl_ptr == buffer.mtl_ptr
    again = device.buffer(buffer.numpy()[2:4], copy=False)
    again *= 10
    np.testing.assert_array_equal(buffer.contents, [0, 1, 20, 30, 4, 5])
    other = mtlpy_nb.Device(cache_path=False)
    with pytest.raises(ValueError, match="the Buffer belongs to a different Device"):
        other.buffer(buffer, copy=False)


# ---- DLPack ----


@pytest.mark.parametrize("dtype", [*"bhilBHILef", "?", "F"])
def test_numpy_shares_by_dlpack(device, dtype):
    buffer = device.buffer(np.array([[0, 1, 1], [1, 0, 1]], dtype))
    array = np.from_dlpack(buffer)
    assert array.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(array, buffer.numpy())
    buffer.contents[0] = 1
    assert array[0, 0] == 1


def test_dlpack_keeps_the_memory(device):
    array = np.from_dlpack(device.buffer(np.arange(4, dtype=np.int32)))
    gc.collect()
    assert array.tolist() == [0, 1, 2, 3]


def test_what_dlpack_does_not_take(device):
    buffer = device.buffer(np.arange(4, dtype=np.float32))
    private = buffer.to_storage(StorageMode.PRIVATE)
    with pytest.raises(BufferError, match=r"requires Shared storage .*this Buffer is PRIVATE.* call \.to_storage"):
        private.__dlpack__()
    with pytest.raises(BufferError, match="does not support copy=True"):
        buffer.__dlpack__(copy=True)
    with pytest.raises(BufferError, match=r"Cannot export mtlpy Buffer to DLPack device \(2, 0\)"):
        buffer.__dlpack__(dl_device=(2, 0))
    records = device.buffer(np.zeros(2, [("x", np.float32), ("n", np.int32)]))
    with pytest.raises(TypeError, match="No DLPack equivalent for dtype"):
        records.__dlpack__()


def test_arrays_come_in_by_dlpack(device):
    array = pages()
    buffer = device.buffer_from_dlpack(array)
    buffer += 1
    assert (array == 1).all()
    same = device.buffer_from_dlpack(buffer)
    assert same.mtl_ptr == buffer.mtl_ptr
    with pytest.raises(ValueError, match="needs memory that begins at a page"):
        device.buffer_from_dlpack(np.zeros(8, np.float32)[1:])
    with pytest.raises(TypeError, match="expected an object with __dlpack__, got list"):
        device.buffer_from_dlpack([1, 2])


def test_memory_of_other_devices_is_refused(device):
    class Elsewhere:
        def __dlpack__(self, **kwargs):
            raise AssertionError("not asked")

        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(BufferError, match="of DLPack device type 2, not the CPU's"):
        device.buffer_from_dlpack(Elsewhere())


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def test_metal_memory_as_a_mac_exchanges_it(device):
    """The address in the tensor is that of Metal's buffer; where the elements begin is its offset."""
    buffer = device.buffer(np.arange(12, dtype=np.int32).reshape(3, 4))
    part = buffer[1:]
    capsule = _native.metal_array(part._buf, part._offset, 0, 32, part.shape)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = DLTensor.from_address(pointer(capsule, b"dltensor"))
    assert tensor.data == buffer.mtl_ptr
    assert (tensor.device_type, tensor.byte_offset, tensor.ndim) == (8, 16, 2)
    assert (tensor.code, tensor.bits, tensor.lanes) == (0, 32, 1)
    assert tensor.shape[:2] == [2, 4]

    class OnAMac:
        def __dlpack__(self, **kwargs):
            return capsule

        def __dlpack_device__(self):
            return (8, 0)

    again = device.buffer_from_dlpack(OnAMac())
    assert again.mtl_ptr == buffer.mtl_ptr
    np.testing.assert_array_equal(again.numpy(), part.numpy())
    with pytest.raises(ValueError, match="don't fit the buffer"):
        _native.metal_array(buffer._buf, 8, 0, 32, (12,))


# ---- other libraries ----


class DLManagedTensor(ctypes.Structure):
    pass


Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(DLManagedTensor))
DLManagedTensor._fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]
get_pointer = ctypes.PYFUNCTYPE(ctypes.POINTER(DLManagedTensor), ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_SetName", ctypes.pythonapi))
new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
USED = ctypes.create_string_buffer(b"used_dltensor")  # a capsule keeps the pointer of its name


def consume(exporter):
    """Take an exporter's tensor as a library in C does: the capsule is marked used, the deleter is ours to call."""
    capsule = exporter.__dlpack__()
    managed = get_pointer(capsule, b"dltensor")
    set_name(capsule, USED)
    return managed.contents


def floats_of(managed):
    tensor = managed.tensor
    assert not tensor.strides or tensor.strides[tensor.ndim - 1] == 1
    count = int(np.prod(tensor.shape[: tensor.ndim]))
    return (ctypes.c_float * count).from_address(tensor.data + tensor.byte_offset)


def test_a_library_in_c_shares_a_buffer(device):
    buffer = device.buffer(np.arange(12, dtype=np.float32).reshape(3, 4))
    if not device.is_software:
        pytest.skip("the memory is the GPU's: test_metal_memory_as_a_mac_exchanges_it")
    managed = consume(buffer[1:])
    tensor = managed.tensor
    assert (tensor.device_type, tensor.ndim, tensor.shape[:2]) == (1, 2, [2, 4])
    assert (tensor.code, tensor.bits, tensor.lanes) == (2, 32, 1), "float32"
    values = floats_of(managed)
    assert values[0] == 4
    values[0] = 100
    buffer += 1
    assert (buffer.contents[4], values[0]) == (101, 101)
    memory = weakref.ref(buffer._buf)
    del buffer
    gc.collect()
    assert values[7] == 12, "the consumer keeps the memory"
    assert memory() is not None
    managed.deleter(ctypes.pointer(managed))
    gc.collect()
    assert memory() is None


class Library:
    """Has an array as a library in C has it, and counts how often its memory was let go of."""

    def __init__(self, length, offset=0):
        self.memory = mmap.mmap(-1, PAGE)
        self.values = (ctypes.c_float * (PAGE // 4)).from_buffer(self.memory)
        self.shape = (ctypes.c_int64 * 1)(length)
        self.freed = 0
        self.deleter = Deleter(self.free)  # kept: the consumer has no more than its address
        tensor = DLTensor(ctypes.addressof(self.values), 1, 0, 1, 2, 32, 1, self.shape, None, offset)
        self.managed = DLManagedTensor(tensor, None, self.deleter)

    def free(self, _):
        self.freed += 1

    def __dlpack__(self, **_):
        return new_capsule(ctypes.addressof(self.managed), b"dltensor", None)

    def __dlpack_device__(self):
        return (1, 0)


def test_a_buffer_in_the_memory_of_a_library_in_c(device):
    library = Library(PAGE // 4)
    library.values[3] = 5
    buffer = device.buffer_from_dlpack(library)
    buffer += 1
    assert library.values[3] == 6
    library.values[4] = 8
    assert buffer.contents[4] == 8
    assert library.freed == 0
    del buffer
    gc.collect()
    assert library.freed == 1


def test_a_kernel_writes_to_the_memory_of_a_library_in_c(device):
    library = Library(4)
    twice = device.library("kernel void twice(device float* x, uint i [[thread_position_in_grid]]) { x[i] *= 2; }")
    library.values[2] = 5
    twice["twice"](library)
    assert library.values[:4] == [0, 0, 10, 0]


def test_memory_that_its_exporter_calls_read_only_is_not_written_to(device):
    array = pages()
    array.flags.writeable = False

    class ReadOnly:  # NumPy itself exports none such before 2.1
        def __dlpack__(self, **options):
            return array.__dlpack__(**options)

        def __dlpack_device__(self):
            return (1, 0)

    with pytest.raises((ValueError, BufferError), match=r"read-?only"):
        device.buffer_from_dlpack(ReadOnly())


def test_memory_of_a_library_that_cannot_be_shared_is_let_go_of(device):
    library = Library(8, offset=4)
    with pytest.raises(ValueError, match="needs memory that begins at a page"):
        device.buffer_from_dlpack(library)
    gc.collect()
    assert library.freed == 1


def test_pytorch_shares_both_ways(device):
    torch = pytest.importorskip("torch")
    buffer = device.buffer(np.arange(6, dtype=np.float32).reshape(2, 3))
    tensor = torch.from_dlpack(buffer)
    tensor *= 2
    np.testing.assert_array_equal(buffer.numpy(), [[0, 2, 4], [6, 8, 10]])
    again = device.buffer_from_dlpack(tensor[1])
    again += 1
    assert tensor.tolist() == [[0, 2, 4], [7, 9, 11]]
    copied = device.buffer(tensor)
    assert copied.mtl_ptr != buffer.mtl_ptr
    np.testing.assert_array_equal(copied.numpy(), buffer.numpy())
    mapped = torch.frombuffer(mmap.mmap(-1, PAGE), dtype=torch.int32)
    shared = device.buffer_from_dlpack(mapped)
    shared += 3
    assert bool((mapped == 3).all())
    with pytest.raises(ValueError, match="needs memory that begins at a page"):
        device.buffer_from_dlpack(torch.zeros(4)[1:])
