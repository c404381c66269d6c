#include <metal_stdlib>
using namespace metal;

// Numbers of 256 bits as limbs, modulo the field's prime of secp256k1.

struct u256 {
    ulong v[4];

    constant static constexpr ulong P0 = 0xFFFFFFFEFFFFFC2FULL;
    constant static constexpr ulong PX = ~0ULL;

    bool is_zero() const thread { return (v[0] | v[1] | v[2] | v[3]) == 0; }
    bool operator==(thread const u256& o) const thread {
        for (int i = 0; i < 4; ++i) if (v[i] != o.v[i]) return false;
        return true;
    }
};

constant ulong PRIME[4] = { u256::P0, u256::PX, u256::PX, u256::PX };

inline ulong addc(ulong a, ulong b, thread ulong& carry) {
    ulong s = a + b;
    ulong c = ulong(s < a);
    ulong r = s + carry;
    carry = c + ulong(r < s);
    return r;
}
inline ulong subb(ulong a, ulong b, thread ulong& borrow) {
    ulong d = a - b, r = d - borrow;
    borrow = (a < b) | (d < borrow);
    return r;
}

bool geq(thread const u256& a, constant const ulong* b) {
    for (int i = 3; i >= 0; --i) { if (a.v[i] > b[i]) return true; if (a.v[i] < b[i]) return false; }
    return true;
}

u256 mod_add(u256 a, u256 b) {
    u256 r; ulong carry = 0;
    #pragma clang loop unroll(full)
    for (int i = 0; i < 4; ++i) r.v[i] = addc(a.v[i], b.v[i], carry);
    if (carry || geq(r, PRIME)) {
        ulong borrow = 0;
        for (int i = 0; i < 4; ++i) r.v[i] = subb(r.v[i], PRIME[i], borrow);
    }
    return r;
}

// The product of 512 bits, folded twice with 2^256 = 2^32 + 977.
u256 mod_mul(thread const u256& a, thread const u256& b) {
    ulong t[8] = {0};
    for (uint i = 0; i < 4; ++i) {
        ulong carry = 0;
        for (uint j = 0; j < 4; ++j) {
            ulong lo = a.v[i] * b.v[j], hi = mulhi(a.v[i], b.v[j]);
            ulong c = 0;
            lo = addc(lo, t[i + j], c); hi += c; c = 0;
            lo = addc(lo, carry, c); hi += c;
            t[i + j] = lo; carry = hi;
        }
        t[i + 4] = carry;
    }
    constexpr ulong fold = 0x1000003D1ul;
    u256 r; ulong carry = 0;
    for (uint i = 0; i < 4; ++i) {
        ulong lo = t[i + 4] * fold, hi = mulhi(t[i + 4], fold), c = 0;
        lo = addc(lo, t[i], c); hi += c; c = 0;
        lo = addc(lo, carry, c); hi += c;
        r.v[i] = lo; carry = hi;
    }
    ulong lo = carry * fold, hi = mulhi(carry, fold), c = 0;
    r.v[0] = addc(r.v[0], lo, c);
    r.v[1] = addc(r.v[1], hi, c);
    r.v[2] = addc(r.v[2], 0, c);
    r.v[3] = addc(r.v[3], 0, c);
    if (c) { c = 0; r.v[0] = addc(r.v[0], fold, c); for (int i = 1; i < 4; ++i) r.v[i] = addc(r.v[i], 0ul, c); }
    if (geq(r, PRIME)) { ulong borrow = 0; for (int i = 0; i < 4; ++i) r.v[i] = subb(r.v[i], PRIME[i], borrow); }
    return r;
}

u256 mod_pow(u256 base, u256 exponent) {
    u256 result = { { 1, 0, 0, 0 } };
    for (int i = 255; i >= 0; --i) {
        result = mod_mul(result, result);
        if ((exponent.v[i >> 6] >> (i & 63)) & 1) result = mod_mul(result, base);
    }
    return result;
}

kernel void field_ops(device const u256* a [[buffer(0)]], device const u256* b [[buffer(1)]], device u256* sums [[buffer(2)]],
                      device u256* products [[buffer(3)]], device u256* inverses [[buffer(4)]], uint id [[thread_position_in_grid]])
{
    u256 x = a[id], y = b[id];
    sums[id] = mod_add(x, y);
    products[id] = mod_mul(x, y);
    u256 e = { { PRIME[0] - 2, PRIME[1], PRIME[2], PRIME[3] } };
    inverses[id] = x.is_zero() ? x : mod_pow(x, e);
}
