#include <metal_stdlib>
using namespace metal;

// Unions, bit-fields, packed types, pointers of every space and what is done with them.

union Bits { float f; uint u; int i; uchar b[4]; half2 h; };

struct Flags {
    uint kind : 4;
    uint : 2;
    uint visible : 1;
    int  offset : 25;
};

struct Node {
    packed_float3 lower;
    uint          leftOrPrimitive;
    packed_float3 upper;
    ushort        count;
    uchar         axis, flags;
};
static_assert(sizeof(Node) == 32, "as the builder lays it out");
static_assert(alignof(packed_float3) == 4 && sizeof(float3) == 16);

struct alignas(16) Padded { float x; };

struct Header { uint magic; uint count; uint offsets[]; };

template <typename T> T load(device const uchar* bytes, uint at) { return *reinterpret_cast<device const T*>(bytes + at); }

struct Reader {
    device const uchar* data;
    uint at;
    thread uint u8() { return data[at++]; }
    uint u16() thread { uint low = u8(); return low | u8() << 8; }
    template <typename T> T next() { T v = load<T>(data, at); at += sizeof(T); return v; }
};

static uint walk(const device Node* nodes, constant Padded* points, uint start) {
    uint stack[32];
    thread uint* top = &stack[0];
    *top++ = start;
    uint hits = 0;
    while (top != stack) {
        const device Node& node = nodes[*--top];
        const float x = points->x;
        if (x < node.lower.x || x > node.upper[0]) continue;
        if (node.count > 0) { hits += node.count; continue; }
        *top++ = node.leftOrPrimitive;
        *(top++) = node.leftOrPrimitive + 1;
    }
    return hits;
}

kernel void kinds(device uint* out [[buffer(0)]], device const uchar* bytes [[buffer(1)]], constant Flags* flags [[buffer(2)]],
                  device const Node* nodes [[buffer(3)]], constant Padded* points [[buffer(4)]],
                  device const Header& header [[buffer(5)]], device const packed_half4* halves [[buffer(6)]],
                  threadgroup uchar* scratch [[threadgroup(0)]], uint i [[thread_position_in_grid]],
                  uint lane [[thread_index_in_threadgroup]])
{
    Bits bits;
    bits.f = -1.5f;
    bits.b[0] |= 7;
    Flags f = flags[i & 1];
    f.offset -= 3;
    Reader reader{bytes, i * 4};
    uint first = reader.u8(), second = reader.u16();
    reader.at = 4 * i;
    uint whole = reader.next<uint>();
    threadgroup uint* words = (threadgroup uint*)scratch;
    words[lane] = whole;
    threadgroup half* parts = reinterpret_cast<threadgroup half*>(words + lane);
    device uint* row = out + 12 * i;
    row[0] = bits.u;
    row[1] = as_type<uint>(bits.h);
    row[2] = f.kind | f.visible << 8;
    row[3] = uint(f.offset);
    row[4] = first | second << 8;
    row[5] = as_type<uint>(half2(parts[0], parts[1]));
    row[6] = walk(nodes, points + (i & 1), 0);
    row[7] = header.offsets[i % header.count] ^ header.magic;
    row[8] = as_type<uint>(half2(halves[i].zw));
    row[9] = uint((device uchar*)(row + 3) - (device uchar*)out);
    const thread auto& r = bits;
    row[10] = as_type<ushort2>(r.f).y;
    row[11] = sizeof(Flags) + (alignof(Padded) << 8) + (sizeof(Padded) << 16);
}
