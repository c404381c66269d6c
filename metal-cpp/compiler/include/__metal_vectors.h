// SPDX-License-Identifier: MIT
//
// Metal's vectors: components, swizzles, constructors, operators. Written by generate_vectors.py; change that instead.

// clang-format off

template <typename T>
struct __components<T, 2> {
    T x, y;
    constexpr T __get_x() const { return x; }
    constexpr T __put_x(T v) { return x = v; }
    __declspec(property(get = __get_x, put = __put_x)) T r;
    constexpr T __get_y() const { return y; }
    constexpr T __put_y(T v) { return y = v; }
    __declspec(property(get = __get_y, put = __put_y)) T g;
    constexpr vec<T, 2> __get_xx() const { return {x, x}; }
    __declspec(property(get = __get_xx)) vec<T, 2> xx, rr;
    constexpr vec<T, 2> __get_xy() const { return {x, y}; }
    constexpr vec<T, 2> __put_xy(vec<T, 2> v) { x = v.x; y = v.y; return v; }
    __declspec(property(get = __get_xy, put = __put_xy)) vec<T, 2> xy, rg;
    constexpr vec<T, 2> __get_yx() const { return {y, x}; }
    constexpr vec<T, 2> __put_yx(vec<T, 2> v) { y = v.x; x = v.y; return v; }
    __declspec(property(get = __get_yx, put = __put_yx)) vec<T, 2> yx, gr;
    constexpr vec<T, 2> __get_yy() const { return {y, y}; }
    __declspec(property(get = __get_yy)) vec<T, 2> yy, gg;
    constexpr vec<T, 3> __get_xxx() const { return {x, x, x}; }
    __declspec(property(get = __get_xxx)) vec<T, 3> xxx, rrr;
    constexpr vec<T, 3> __get_xxy() const { return {x, x, y}; }
    __declspec(property(get = __get_xxy)) vec<T, 3> xxy, rrg;
    constexpr vec<T, 3> __get_xyx() const { return {x, y, x}; }
    __declspec(property(get = __get_xyx)) vec<T, 3> xyx, rgr;
    constexpr vec<T, 3> __get_xyy() const { return {x, y, y}; }
    __declspec(property(get = __get_xyy)) vec<T, 3> xyy, rgg;
    constexpr vec<T, 3> __get_yxx() const { return {y, x, x}; }
    __declspec(property(get = __get_yxx)) vec<T, 3> yxx, grr;
    constexpr vec<T, 3> __get_yxy() const { return {y, x, y}; }
    __declspec(property(get = __get_yxy)) vec<T, 3> yxy, grg;
    constexpr vec<T, 3> __get_yyx() const { return {y, y, x}; }
    __declspec(property(get = __get_yyx)) vec<T, 3> yyx, ggr;
    constexpr vec<T, 3> __get_yyy() const { return {y, y, y}; }
    __declspec(property(get = __get_yyy)) vec<T, 3> yyy, ggg;
    constexpr vec<T, 4> __get_xxxx() const { return {x, x, x, x}; }
    __declspec(property(get = __get_xxxx)) vec<T, 4> xxxx, rrrr;
    constexpr vec<T, 4> __get_xxxy() const { return {x, x, x, y}; }
    __declspec(property(get = __get_xxxy)) vec<T, 4> xxxy, rrrg;
    constexpr vec<T, 4> __get_xxyx() const { return {x, x, y, x}; }
    __declspec(property(get = __get_xxyx)) vec<T, 4> xxyx, rrgr;
    constexpr vec<T, 4> __get_xxyy() const { return {x, x, y, y}; }
    __declspec(property(get = __get_xxyy)) vec<T, 4> xxyy, rrgg;
    constexpr vec<T, 4> __get_xyxx() const { return {x, y, x, x}; }
    __declspec(property(get = __get_xyxx)) vec<T, 4> xyxx, rgrr;
    constexpr vec<T, 4> __get_xyxy() const { return {x, y, x, y}; }
    __declspec(property(get = __get_xyxy)) vec<T, 4> xyxy, rgrg;
    constexpr vec<T, 4> __get_xyyx() const { return {x, y, y, x}; }
    __declspec(property(get = __get_xyyx)) vec<T, 4> xyyx, rggr;
    constexpr vec<T, 4> __get_xyyy() const { return {x, y, y, y}; }
    __declspec(property(get = __get_xyyy)) vec<T, 4> xyyy, rggg;
    constexpr vec<T, 4> __get_yxxx() const { return {y, x, x, x}; }
    __declspec(property(get = __get_yxxx)) vec<T, 4> yxxx, grrr;
    constexpr vec<T, 4> __get_yxxy() const { return {y, x, x, y}; }
    __declspec(property(get = __get_yxxy)) vec<T, 4> yxxy, grrg;
    constexpr vec<T, 4> __get_yxyx() const { return {y, x, y, x}; }
    __declspec(property(get = __get_yxyx)) vec<T, 4> yxyx, grgr;
    constexpr vec<T, 4> __get_yxyy() const { return {y, x, y, y}; }
    __declspec(property(get = __get_yxyy)) vec<T, 4> yxyy, grgg;
    constexpr vec<T, 4> __get_yyxx() const { return {y, y, x, x}; }
    __declspec(property(get = __get_yyxx)) vec<T, 4> yyxx, ggrr;
    constexpr vec<T, 4> __get_yyxy() const { return {y, y, x, y}; }
    __declspec(property(get = __get_yyxy)) vec<T, 4> yyxy, ggrg;
    constexpr vec<T, 4> __get_yyyx() const { return {y, y, y, x}; }
    __declspec(property(get = __get_yyyx)) vec<T, 4> yyyx, gggr;
    constexpr vec<T, 4> __get_yyyy() const { return {y, y, y, y}; }
    __declspec(property(get = __get_yyyy)) vec<T, 4> yyyy, gggg;
};
template <typename T>
struct __components<T, 3> {
    T x, y, z;
    constexpr T __get_x() const { return x; }
    constexpr T __put_x(T v) { return x = v; }
    __declspec(property(get = __get_x, put = __put_x)) T r;
    constexpr T __get_y() const { return y; }
    constexpr T __put_y(T v) { return y = v; }
    __declspec(property(get = __get_y, put = __put_y)) T g;
    constexpr T __get_z() const { return z; }
    constexpr T __put_z(T v) { return z = v; }
    __declspec(property(get = __get_z, put = __put_z)) T b;
    constexpr vec<T, 2> __get_xx() const { return {x, x}; }
    __declspec(property(get = __get_xx)) vec<T, 2> xx, rr;
    constexpr vec<T, 2> __get_xy() const { return {x, y}; }
    constexpr vec<T, 2> __put_xy(vec<T, 2> v) { x = v.x; y = v.y; return v; }
    __declspec(property(get = __get_xy, put = __put_xy)) vec<T, 2> xy, rg;
    constexpr vec<T, 2> __get_xz() const { return {x, z}; }
    constexpr vec<T, 2> __put_xz(vec<T, 2> v) { x = v.x; z = v.y; return v; }
    __declspec(property(get = __get_xz, put = __put_xz)) vec<T, 2> xz, rb;
    constexpr vec<T, 2> __get_yx() const { return {y, x}; }
    constexpr vec<T, 2> __put_yx(vec<T, 2> v) { y = v.x; x = v.y; return v; }
    __declspec(property(get = __get_yx, put = __put_yx)) vec<T, 2> yx, gr;
    constexpr vec<T, 2> __get_yy() const { return {y, y}; }
    __declspec(property(get = __get_yy)) vec<T, 2> yy, gg;
    constexpr vec<T, 2> __get_yz() const { return {y, z}; }
    constexpr vec<T, 2> __put_yz(vec<T, 2> v) { y = v.x; z = v.y; return v; }
    __declspec(property(get = __get_yz, put = __put_yz)) vec<T, 2> yz, gb;
    constexpr vec<T, 2> __get_zx() const { return {z, x}; }
    constexpr vec<T, 2> __put_zx(vec<T, 2> v) { z = v.x; x = v.y; return v; }
    __declspec(property(get = __get_zx, put = __put_zx)) vec<T, 2> zx, br;
    constexpr vec<T, 2> __get_zy() const { return {z, y}; }
    constexpr vec<T, 2> __put_zy(vec<T, 2> v) { z = v.x; y = v.y; return v; }
    __declspec(property(get = __get_zy, put = __put_zy)) vec<T, 2> zy, bg;
    constexpr vec<T, 2> __get_zz() const { return {z, z}; }
    __declspec(property(get = __get_zz)) vec<T, 2> zz, bb;
    constexpr vec<T, 3> __get_xxx() const { return {x, x, x}; }
    __declspec(property(get = __get_xxx)) vec<T, 3> xxx, rrr;
    constexpr vec<T, 3> __get_xxy() const { return {x, x, y}; }
    __declspec(property(get = __get_xxy)) vec<T, 3> xxy, rrg;
    constexpr vec<T, 3> __get_xxz() const { return {x, x, z}; }
    __declspec(property(get = __get_xxz)) vec<T, 3> xxz, rrb;
    constexpr vec<T, 3> __get_xyx() const { return {x, y, x}; }
    __declspec(property(get = __get_xyx)) vec<T, 3> xyx, rgr;
    constexpr vec<T, 3> __get_xyy() const { return {x, y, y}; }
    __declspec(property(get = __get_xyy)) vec<T, 3> xyy, rgg;
    constexpr vec<T, 3> __get_xyz() const { return {x, y, z}; }
    constexpr vec<T, 3> __put_xyz(vec<T, 3> v) { x = v.x; y = v.y; z = v.z; return v; }
    __declspec(property(get = __get_xyz, put = __put_xyz)) vec<T, 3> xyz, rgb;
    constexpr vec<T, 3> __get_xzx() const { return {x, z, x}; }
    __declspec(property(get = __get_xzx)) vec<T, 3> xzx, rbr;
    constexpr vec<T, 3> __get_xzy() const { return {x, z, y}; }
    constexpr vec<T, 3> __put_xzy(vec<T, 3> v) { x = v.x; z = v.y; y = v.z; return v; }
    __declspec(property(get = __get_xzy, put = __put_xzy)) vec<T, 3> xzy, rbg;
    constexpr vec<T, 3> __get_xzz() const { return {x, z, z}; }
    __declspec(property(get = __get_xzz)) vec<T, 3> xzz, rbb;
    constexpr vec<T, 3> __get_yxx() const { return {y, x, x}; }
    __declspec(property(get = __get_yxx)) vec<T, 3> yxx, grr;
    constexpr vec<T, 3> __get_yxy() const { return {y, x, y}; }
    __declspec(property(get = __get_yxy)) vec<T, 3> yxy, grg;
    constexpr vec<T, 3> __get_yxz() const { return {y, x, z}; }
    constexpr vec<T, 3> __put_yxz(vec<T, 3> v) { y = v.x; x = v.y; z = v.z; return v; }
    __declspec(property(get = __get_yxz, put = __put_yxz)) vec<T, 3> yxz, grb;
    constexpr vec<T, 3> __get_yyx() const { return {y, y, x}; }
    __declspec(property(get = __get_yyx)) vec<T, 3> yyx, ggr;
    constexpr vec<T, 3> __get_yyy() const { return {y, y, y}; }
    __declspec(property(get = __get_yyy)) vec<T, 3> yyy, ggg;
    constexpr vec<T, 3> __get_yyz() const { return {y, y, z}; }
    __declspec(property(get = __get_yyz)) vec<T, 3> yyz, ggb;
    constexpr vec<T, 3> __get_yzx() const { return {y, z, x}; }
    constexpr vec<T, 3> __put_yzx(vec<T, 3> v) { y = v.x; z = v.y; x = v.z; return v; }
    __declspec(property(get = __get_yzx, put = __put_yzx)) vec<T, 3> yzx, gbr;
    constexpr vec<T, 3> __get_yzy() const { return {y, z, y}; }
    __declspec(property(get = __get_yzy)) vec<T, 3> yzy, gbg;
    constexpr vec<T, 3> __get_yzz() const { return {y, z, z}; }
    __declspec(property(get = __get_yzz)) vec<T, 3> yzz, gbb;
    constexpr vec<T, 3> __get_zxx() const { return {z, x, x}; }
    __declspec(property(get = __get_zxx)) vec<T, 3> zxx, brr;
    constexpr vec<T, 3> __get_zxy() const { return {z, x, y}; }
    constexpr vec<T, 3> __put_zxy(vec<T, 3> v) { z = v.x; x = v.y; y = v.z; return v; }
    __declspec(property(get = __get_zxy, put = __put_zxy)) vec<T, 3> zxy, brg;
    constexpr vec<T, 3> __get_zxz() const { return {z, x, z}; }
    __declspec(property(get = __get_zxz)) vec<T, 3> zxz, brb;
    constexpr vec<T, 3> __get_zyx() const { return {z, y, x}; }
    constexpr vec<T, 3> __put_zyx(vec<T, 3> v) { z = v.x; y = v.y; x = v.z; return v; }
    __declspec(property(get = __get_zyx, put = __put_zyx)) vec<T, 3> zyx, bgr;
    constexpr vec<T, 3> __get_zyy() const { return {z, y, y}; }
    __declspec(property(get = __get_zyy)) vec<T, 3> zyy, bgg;
    constexpr vec<T, 3> __get_zyz() const { return {z, y, z}; }
    __declspec(property(get = __get_zyz)) vec<T, 3> zyz, bgb;
    constexpr vec<T, 3> __get_zzx() const { return {z, z, x}; }
    __declspec(property(get = __get_zzx)) vec<T, 3> zzx, bbr;
    constexpr vec<T, 3> __get_zzy() const { return {z, z, y}; }
    __declspec(property(get = __get_zzy)) vec<T, 3> zzy, bbg;
    constexpr vec<T, 3> __get_zzz() const { return {z, z, z}; }
    __declspec(property(get = __get_zzz)) vec<T, 3> zzz, bbb;
    constexpr vec<T, 4> __get_xxxx() const { return {x, x, x, x}; }
    __declspec(property(get = __get_xxxx)) vec<T, 4> xxxx, rrrr;
    constexpr vec<T, 4> __get_xxxy() const { return {x, x, x, y}; }
    __declspec(property(get = __get_xxxy)) vec<T, 4> xxxy, rrrg;
    constexpr vec<T, 4> __get_xxxz() const { return {x, x, x, z}; }
    __declspec(property(get = __get_xxxz)) vec<T, 4> xxxz, rrrb;
    constexpr vec<T, 4> __get_xxyx() const { return {x, x, y, x}; }
    __declspec(property(get = __get_xxyx)) vec<T, 4> xxyx, rrgr;
    constexpr vec<T, 4> __get_xxyy() const { return {x, x, y, y}; }
    __declspec(property(get = __get_xxyy)) vec<T, 4> xxyy, rrgg;
    constexpr vec<T, 4> __get_xxyz() const { return {x, x, y, z}; }
    __declspec(property(get = __get_xxyz)) vec<T, 4> xxyz, rrgb;
    constexpr vec<T, 4> __get_xxzx() const { return {x, x, z, x}; }
    __declspec(property(get = __get_xxzx)) vec<T, 4> xxzx, rrbr;
    constexpr vec<T, 4> __get_xxzy() const { return {x, x, z, y}; }
    __declspec(property(get = __get_xxzy)) vec<T, 4> xxzy, rrbg;
    constexpr vec<T, 4> __get_xxzz() const { return {x, x, z, z}; }
    __declspec(property(get = __get_xxzz)) vec<T, 4> xxzz, rrbb;
    constexpr vec<T, 4> __get_xyxx() const { return {x, y, x, x}; }
    __declspec(property(get = __get_xyxx)) vec<T, 4> xyxx, rgrr;
    constexpr vec<T, 4> __get_xyxy() const { return {x, y, x, y}; }
    __declspec(property(get = __get_xyxy)) vec<T, 4> xyxy, rgrg;
    constexpr vec<T, 4> __get_xyxz() const { return {x, y, x, z}; }
    __declspec(property(get = __get_xyxz)) vec<T, 4> xyxz, rgrb;
    constexpr vec<T, 4> __get_xyyx() const { return {x, y, y, x}; }
    __declspec(property(get = __get_xyyx)) vec<T, 4> xyyx, rggr;
    constexpr vec<T, 4> __get_xyyy() const { return {x, y, y, y}; }
    __declspec(property(get = __get_xyyy)) vec<T, 4> xyyy, rggg;
    constexpr vec<T, 4> __get_xyyz() const { return {x, y, y, z}; }
    __declspec(property(get = __get_xyyz)) vec<T, 4> xyyz, rggb;
    constexpr vec<T, 4> __get_xyzx() const { return {x, y, z, x}; }
    __declspec(property(get = __get_xyzx)) vec<T, 4> xyzx, rgbr;
    constexpr vec<T, 4> __get_xyzy() const { return {x, y, z, y}; }
    __declspec(property(get = __get_xyzy)) vec<T, 4> xyzy, rgbg;
    constexpr vec<T, 4> __get_xyzz() const { return {x, y, z, z}; }
    __declspec(property(get = __get_xyzz)) vec<T, 4> xyzz, rgbb;
    constexpr vec<T, 4> __get_xzxx() const { return {x, z, x, x}; }
    __declspec(property(get = __get_xzxx)) vec<T, 4> xzxx, rbrr;
    constexpr vec<T, 4> __get_xzxy() const { return {x, z, x, y}; }
    __declspec(property(get = __get_xzxy)) vec<T, 4> xzxy, rbrg;
    constexpr vec<T, 4> __get_xzxz() const { return {x, z, x, z}; }
    __declspec(property(get = __get_xzxz)) vec<T, 4> xzxz, rbrb;
    constexpr vec<T, 4> __get_xzyx() const { return {x, z, y, x}; }
    __declspec(property(get = __get_xzyx)) vec<T, 4> xzyx, rbgr;
    constexpr vec<T, 4> __get_xzyy() const { return {x, z, y, y}; }
    __declspec(property(get = __get_xzyy)) vec<T, 4> xzyy, rbgg;
    constexpr vec<T, 4> __get_xzyz() const { return {x, z, y, z}; }
    __declspec(property(get = __get_xzyz)) vec<T, 4> xzyz, rbgb;
    constexpr vec<T, 4> __get_xzzx() const { return {x, z, z, x}; }
    __declspec(property(get = __get_xzzx)) vec<T, 4> xzzx, rbbr;
    constexpr vec<T, 4> __get_xzzy() const { return {x, z, z, y}; }
    __declspec(property(get = __get_xzzy)) vec<T, 4> xzzy, rbbg;
    constexpr vec<T, 4> __get_xzzz() const { return {x, z, z, z}; }
    __declspec(property(get = __get_xzzz)) vec<T, 4> xzzz, rbbb;
    constexpr vec<T, 4> __get_yxxx() const { return {y, x, x, x}; }
    __declspec(property(get = __get_yxxx)) vec<T, 4> yxxx, grrr;
    constexpr vec<T, 4> __get_yxxy() const { return {y, x, x, y}; }
    __declspec(property(get = __get_yxxy)) vec<T, 4> yxxy, grrg;
    constexpr vec<T, 4> __get_yxxz() const { return {y, x, x, z}; }
    __declspec(property(get = __get_yxxz)) vec<T, 4> yxxz, grrb;
    constexpr vec<T, 4> __get_yxyx() const { return {y, x, y, x}; }
    __declspec(property(get = __get_yxyx)) vec<T, 4> yxyx, grgr;
    constexpr vec<T, 4> __get_yxyy() const { return {y, x, y, y}; }
    __declspec(property(get = __get_yxyy)) vec<T, 4> yxyy, grgg;
    constexpr vec<T, 4> __get_yxyz() const { return {y, x, y, z}; }
    __declspec(property(get = __get_yxyz)) vec<T, 4> yxyz, grgb;
    constexpr vec<T, 4> __get_yxzx() const { return {y, x, z, x}; }
    __declspec(property(get = __get_yxzx)) vec<T, 4> yxzx, grbr;
    constexpr vec<T, 4> __get_yxzy() const { return {y, x, z, y}; }
    __declspec(property(get = __get_yxzy)) vec<T, 4> yxzy, grbg;
    constexpr vec<T, 4> __get_yxzz() const { return {y, x, z, z}; }
    __declspec(property(get = __get_yxzz)) vec<T, 4> yxzz, grbb;
    constexpr vec<T, 4> __get_yyxx() const { return {y, y, x, x}; }
    __declspec(property(get = __get_yyxx)) vec<T, 4> yyxx, ggrr;
    constexpr vec<T, 4> __get_yyxy() const { return {y, y, x, y}; }
    __declspec(property(get = __get_yyxy)) vec<T, 4> yyxy, ggrg;
    constexpr vec<T, 4> __get_yyxz() const { return {y, y, x, z}; }
    __declspec(property(get = __get_yyxz)) vec<T, 4> yyxz, ggrb;
    constexpr vec<T, 4> __get_yyyx() const { return {y, y, y, x}; }
    __declspec(property(get = __get_yyyx)) vec<T, 4> yyyx, gggr;
    constexpr vec<T, 4> __get_yyyy() const { return {y, y, y, y}; }
    __declspec(property(get = __get_yyyy)) vec<T, 4> yyyy, gggg;
    constexpr vec<T, 4> __get_yyyz() const { return {y, y, y, z}; }
    __declspec(property(get = __get_yyyz)) vec<T, 4> yyyz, gggb;
    constexpr vec<T, 4> __get_yyzx() const { return {y, y, z, x}; }
    __declspec(property(get = __get_yyzx)) vec<T, 4> yyzx, ggbr;
    constexpr vec<T, 4> __get_yyzy() const { return {y, y, z, y}; }
    __declspec(property(get = __get_yyzy)) vec<T, 4> yyzy, ggbg;
    constexpr vec<T, 4> __get_yyzz() const { return {y, y, z, z}; }
    __declspec(property(get = __get_yyzz)) vec<T, 4> yyzz, ggbb;
    constexpr vec<T, 4> __get_yzxx() const { return {y, z, x, x}; }
    __declspec(property(get = __get_yzxx)) vec<T, 4> yzxx, gbrr;
    constexpr vec<T, 4> __get_yzxy() const { return {y, z, x, y}; }
    __declspec(property(get = __get_yzxy)) vec<T, 4> yzxy, gbrg;
    constexpr vec<T, 4> __get_yzxz() const { return {y, z, x, z}; }
    __declspec(property(get = __get_yzxz)) vec<T, 4> yzxz, gbrb;
    constexpr vec<T, 4> __get_yzyx() const { return {y, z, y, x}; }
    __declspec(property(get = __get_yzyx)) vec<T, 4> yzyx, gbgr;
    constexpr vec<T, 4> __get_yzyy() const { return {y, z, y, y}; }
    __declspec(property(get = __get_yzyy)) vec<T, 4> yzyy, gbgg;
    constexpr vec<T, 4> __get_yzyz() const { return {y, z, y, z}; }
    __declspec(property(get = __get_yzyz)) vec<T, 4> yzyz, gbgb;
    constexpr vec<T, 4> __get_yzzx() const { return {y, z, z, x}; }
    __declspec(property(get = __get_yzzx)) vec<T, 4> yzzx, gbbr;
    constexpr vec<T, 4> __get_yzzy() const { return {y, z, z, y}; }
    __declspec(property(get = __get_yzzy)) vec<T, 4> yzzy, gbbg;
    constexpr vec<T, 4> __get_yzzz() const { return {y, z, z, z}; }
    __declspec(property(get = __get_yzzz)) vec<T, 4> yzzz, gbbb;
    constexpr vec<T, 4> __get_zxxx() const { return {z, x, x, x}; }
    __declspec(property(get = __get_zxxx)) vec<T, 4> zxxx, brrr;
    constexpr vec<T, 4> __get_zxxy() const { return {z, x, x, y}; }
    __declspec(property(get = __get_zxxy)) vec<T, 4> zxxy, brrg;
    constexpr vec<T, 4> __get_zxxz() const { return {z, x, x, z}; }
    __declspec(property(get = __get_zxxz)) vec<T, 4> zxxz, brrb;
    constexpr vec<T, 4> __get_zxyx() const { return {z, x, y, x}; }
    __declspec(property(get = __get_zxyx)) vec<T, 4> zxyx, brgr;
    constexpr vec<T, 4> __get_zxyy() const { return {z, x, y, y}; }
    __declspec(property(get = __get_zxyy)) vec<T, 4> zxyy, brgg;
    constexpr vec<T, 4> __get_zxyz() const { return {z, x, y, z}; }
    __declspec(property(get = __get_zxyz)) vec<T, 4> zxyz, brgb;
    constexpr vec<T, 4> __get_zxzx() const { return {z, x, z, x}; }
    __declspec(property(get = __get_zxzx)) vec<T, 4> zxzx, brbr;
    constexpr vec<T, 4> __get_zxzy() const { return {z, x, z, y}; }
    __declspec(property(get = __get_zxzy)) vec<T, 4> zxzy, brbg;
    constexpr vec<T, 4> __get_zxzz() const { return {z, x, z, z}; }
    __declspec(property(get = __get_zxzz)) vec<T, 4> zxzz, brbb;
    constexpr vec<T, 4> __get_zyxx() const { return {z, y, x, x}; }
    __declspec(property(get = __get_zyxx)) vec<T, 4> zyxx, bgrr;
    constexpr vec<T, 4> __get_zyxy() const { return {z, y, x, y}; }
    __declspec(property(get = __get_zyxy)) vec<T, 4> zyxy, bgrg;
    constexpr vec<T, 4> __get_zyxz() const { return {z, y, x, z}; }
    __declspec(property(get = __get_zyxz)) vec<T, 4> zyxz, bgrb;
    constexpr vec<T, 4> __get_zyyx() const { return {z, y, y, x}; }
    __declspec(property(get = __get_zyyx)) vec<T, 4> zyyx, bggr;
    constexpr vec<T, 4> __get_zyyy() const { return {z, y, y, y}; }
    __declspec(property(get = __get_zyyy)) vec<T, 4> zyyy, bggg;
    constexpr vec<T, 4> __get_zyyz() const { return {z, y, y, z}; }
    __declspec(property(get = __get_zyyz)) vec<T, 4> zyyz, bggb;
    constexpr vec<T, 4> __get_zyzx() const { return {z, y, z, x}; }
    __declspec(property(get = __get_zyzx)) vec<T, 4> zyzx, bgbr;
    constexpr vec<T, 4> __get_zyzy() const { return {z, y, z, y}; }
    __declspec(property(get = __get_zyzy)) vec<T, 4> zyzy, bgbg;
    constexpr vec<T, 4> __get_zyzz() const { return {z, y, z, z}; }
    __declspec(property(get = __get_zyzz)) vec<T, 4> zyzz, bgbb;
    constexpr vec<T, 4> __get_zzxx() const { return {z, z, x, x}; }
    __declspec(property(get = __get_zzxx)) vec<T, 4> zzxx, bbrr;
    constexpr vec<T, 4> __get_zzxy() const { return {z, z, x, y}; }
    __declspec(property(get = __get_zzxy)) vec<T, 4> zzxy, bbrg;
    constexpr vec<T, 4> __get_zzxz() const { return {z, z, x, z}; }
    __declspec(property(get = __get_zzxz)) vec<T, 4> zzxz, bbrb;
    constexpr vec<T, 4> __get_zzyx() const { return {z, z, y, x}; }
    __declspec(property(get = __get_zzyx)) vec<T, 4> zzyx, bbgr;
    constexpr vec<T, 4> __get_zzyy() const { return {z, z, y, y}; }
    __declspec(property(get = __get_zzyy)) vec<T, 4> zzyy, bbgg;
    constexpr vec<T, 4> __get_zzyz() const { return {z, z, y, z}; }
    __declspec(property(get = __get_zzyz)) vec<T, 4> zzyz, bbgb;
    constexpr vec<T, 4> __get_zzzx() const { return {z, z, z, x}; }
    __declspec(property(get = __get_zzzx)) vec<T, 4> zzzx, bbbr;
    constexpr vec<T, 4> __get_zzzy() const { return {z, z, z, y}; }
    __declspec(property(get = __get_zzzy)) vec<T, 4> zzzy, bbbg;
    constexpr vec<T, 4> __get_zzzz() const { return {z, z, z, z}; }
    __declspec(property(get = __get_zzzz)) vec<T, 4> zzzz, bbbb;
};
template <typename T>
struct __components<T, 4> {
    T x, y, z, w;
    constexpr T __get_x() const { return x; }
    constexpr T __put_x(T v) { return x = v; }
    __declspec(property(get = __get_x, put = __put_x)) T r;
    constexpr T __get_y() const { return y; }
    constexpr T __put_y(T v) { return y = v; }
    __declspec(property(get = __get_y, put = __put_y)) T g;
    constexpr T __get_z() const { return z; }
    constexpr T __put_z(T v) { return z = v; }
    __declspec(property(get = __get_z, put = __put_z)) T b;
    constexpr T __get_w() const { return w; }
    constexpr T __put_w(T v) { return w = v; }
    __declspec(property(get = __get_w, put = __put_w)) T a;
    constexpr vec<T, 2> __get_xx() const { return {x, x}; }
    __declspec(property(get = __get_xx)) vec<T, 2> xx, rr;
    constexpr vec<T, 2> __get_xy() const { return {x, y}; }
    constexpr vec<T, 2> __put_xy(vec<T, 2> v) { x = v.x; y = v.y; return v; }
    __declspec(property(get = __get_xy, put = __put_xy)) vec<T, 2> xy, rg;
    constexpr vec<T, 2> __get_xz() const { return {x, z}; }
    constexpr vec<T, 2> __put_xz(vec<T, 2> v) { x = v.x; z = v.y; return v; }
    __declspec(property(get = __get_xz, put = __put_xz)) vec<T, 2> xz, rb;
    constexpr vec<T, 2> __get_xw() const { return {x, w}; }
    constexpr vec<T, 2> __put_xw(vec<T, 2> v) { x = v.x; w = v.y; return v; }
    __declspec(property(get = __get_xw, put = __put_xw)) vec<T, 2> xw, ra;
    constexpr vec<T, 2> __get_yx() const { return {y, x}; }
    constexpr vec<T, 2> __put_yx(vec<T, 2> v) { y = v.x; x = v.y; return v; }
    __declspec(property(get = __get_yx, put = __put_yx)) vec<T, 2> yx, gr;
    constexpr vec<T, 2> __get_yy() const { return {y, y}; }
    __declspec(property(get = __get_yy)) vec<T, 2> yy, gg;
    constexpr vec<T, 2> __get_yz() const { return {y, z}; }
    constexpr vec<T, 2> __put_yz(vec<T, 2> v) { y = v.x; z = v.y; return v; }
    __declspec(property(get = __get_yz, put = __put_yz)) vec<T, 2> yz, gb;
    constexpr vec<T, 2> __get_yw() const { return {y, w}; }
    constexpr vec<T, 2> __put_yw(vec<T, 2> v) { y = v.x; w = v.y; return v; }
    __declspec(property(get = __get_yw, put = __put_yw)) vec<T, 2> yw, ga;
    constexpr vec<T, 2> __get_zx() const { return {z, x}; }
    constexpr vec<T, 2> __put_zx(vec<T, 2> v) { z = v.x; x = v.y; return v; }
    __declspec(property(get = __get_zx, put = __put_zx)) vec<T, 2> zx, br;
    constexpr vec<T, 2> __get_zy() const { return {z, y}; }
    constexpr vec<T, 2> __put_zy(vec<T, 2> v) { z = v.x; y = v.y; return v; }
    __declspec(property(get = __get_zy, put = __put_zy)) vec<T, 2> zy, bg;
    constexpr vec<T, 2> __get_zz() const { return {z, z}; }
    __declspec(property(get = __get_zz)) vec<T, 2> zz, bb;
    constexpr vec<T, 2> __get_zw() const { return {z, w}; }
    constexpr vec<T, 2> __put_zw(vec<T, 2> v) { z = v.x; w = v.y; return v; }
    __declspec(property(get = __get_zw, put = __put_zw)) vec<T, 2> zw, ba;
    constexpr vec<T, 2> __get_wx() const { return {w, x}; }
    constexpr vec<T, 2> __put_wx(vec<T, 2> v) { w = v.x; x = v.y; return v; }
    __declspec(property(get = __get_wx, put = __put_wx)) vec<T, 2> wx, ar;
    constexpr vec<T, 2> __get_wy() const { return {w, y}; }
    constexpr vec<T, 2> __put_wy(vec<T, 2> v) { w = v.x; y = v.y; return v; }
    __declspec(property(get = __get_wy, put = __put_wy)) vec<T, 2> wy, ag;
    constexpr vec<T, 2> __get_wz() const { return {w, z}; }
    constexpr vec<T, 2> __put_wz(vec<T, 2> v) { w = v.x; z = v.y; return v; }
    __declspec(property(get = __get_wz, put = __put_wz)) vec<T, 2> wz, ab;
    constexpr vec<T, 2> __get_ww() const { return {w, w}; }
    __declspec(property(get = __get_ww)) vec<T, 2> ww, aa;
    constexpr vec<T, 3> __get_xxx() const { return {x, x, x}; }
    __declspec(property(get = __get_xxx)) vec<T, 3> xxx, rrr;
    constexpr vec<T, 3> __get_xxy() const { return {x, x, y}; }
    __declspec(property(get = __get_xxy)) vec<T, 3> xxy, rrg;
    constexpr vec<T, 3> __get_xxz() const { return {x, x, z}; }
    __declspec(property(get = __get_xxz)) vec<T, 3> xxz, rrb;
    constexpr vec<T, 3> __get_xxw() const { return {x, x, w}; }
    __declspec(property(get = __get_xxw)) vec<T, 3> xxw, rra;
    constexpr vec<T, 3> __get_xyx() const { return {x, y, x}; }
    __declspec(property(get = __get_xyx)) vec<T, 3> xyx, rgr;
    constexpr vec<T, 3> __get_xyy() const { return {x, y, y}; }
    __declspec(property(get = __get_xyy)) vec<T, 3> xyy, rgg;
    constexpr vec<T, 3> __get_xyz() const { return {x, y, z}; }
    constexpr vec<T, 3> __put_xyz(vec<T, 3> v) { x = v.x; y = v.y; z = v.z; return v; }
    __declspec(property(get = __get_xyz, put = __put_xyz)) vec<T, 3> xyz, rgb;
    constexpr vec<T, 3> __get_xyw() const { return {x, y, w}; }
    constexpr vec<T, 3> __put_xyw(vec<T, 3> v) { x = v.x; y = v.y; w = v.z; return v; }
    __declspec(property(get = __get_xyw, put = __put_xyw)) vec<T, 3> xyw, rga;
    constexpr vec<T, 3> __get_xzx() const { return {x, z, x}; }
    __declspec(property(get = __get_xzx)) vec<T, 3> xzx, rbr;
    constexpr vec<T, 3> __get_xzy() const { return {x, z, y}; }
    constexpr vec<T, 3> __put_xzy(vec<T, 3> v) { x = v.x; z = v.y; y = v.z; return v; }
    __declspec(property(get = __get_xzy, put = __put_xzy)) vec<T, 3> xzy, rbg;
    constexpr vec<T, 3> __get_xzz() const { return {x, z, z}; }
    __declspec(property(get = __get_xzz)) vec<T, 3> xzz, rbb;
    constexpr vec<T, 3> __get_xzw() const { return {x, z, w}; }
    constexpr vec<T, 3> __put_xzw(vec<T, 3> v) { x = v.x; z = v.y; w = v.z; return v; }
    __declspec(property(get = __get_xzw, put = __put_xzw)) vec<T, 3> xzw, rba;
    constexpr vec<T, 3> __get_xwx() const { return {x, w, x}; }
    __declspec(property(get = __get_xwx)) vec<T, 3> xwx, rar;
    constexpr vec<T, 3> __get_xwy() const { return {x, w, y}; }
    constexpr vec<T, 3> __put_xwy(vec<T, 3> v) { x = v.x; w = v.y; y = v.z; return v; }
    __declspec(property(get = __get_xwy, put = __put_xwy)) vec<T, 3> xwy, rag;
    constexpr vec<T, 3> __get_xwz() const { return {x, w, z}; }
    constexpr vec<T, 3> __put_xwz(vec<T, 3> v) { x = v.x; w = v.y; z = v.z; return v; }
    __declspec(property(get = __get_xwz, put = __put_xwz)) vec<T, 3> xwz, rab;
    constexpr vec<T, 3> __get_xww() const { return {x, w, w}; }
    __declspec(property(get = __get_xww)) vec<T, 3> xww, raa;
    constexpr vec<T, 3> __get_yxx() const { return {y, x, x}; }
    __declspec(property(get = __get_yxx)) vec<T, 3> yxx, grr;
    constexpr vec<T, 3> __get_yxy() const { return {y, x, y}; }
    __declspec(property(get = __get_yxy)) vec<T, 3> yxy, grg;
    constexpr vec<T, 3> __get_yxz() const { return {y, x, z}; }
    constexpr vec<T, 3> __put_yxz(vec<T, 3> v) { y = v.x; x = v.y; z = v.z; return v; }
    __declspec(property(get = __get_yxz, put = __put_yxz)) vec<T, 3> yxz, grb;
    constexpr vec<T, 3> __get_yxw() const { return {y, x, w}; }
    constexpr vec<T, 3> __put_yxw(vec<T, 3> v) { y = v.x; x = v.y; w = v.z; return v; }
    __declspec(property(get = __get_yxw, put = __put_yxw)) vec<T, 3> yxw, gra;
    constexpr vec<T, 3> __get_yyx() const { return {y, y, x}; }
    __declspec(property(get = __get_yyx)) vec<T, 3> yyx, ggr;
    constexpr vec<T, 3> __get_yyy() const { return {y, y, y}; }
    __declspec(property(get = __get_yyy)) vec<T, 3> yyy, ggg;
    constexpr vec<T, 3> __get_yyz() const { return {y, y, z}; }
    __declspec(property(get = __get_yyz)) vec<T, 3> yyz, ggb;
    constexpr vec<T, 3> __get_yyw() const { return {y, y, w}; }
    __declspec(property(get = __get_yyw)) vec<T, 3> yyw, gga;
    constexpr vec<T, 3> __get_yzx() const { return {y, z, x}; }
    constexpr vec<T, 3> __put_yzx(vec<T, 3> v) { y = v.x; z = v.y; x = v.z; return v; }
    __declspec(property(get = __get_yzx, put = __put_yzx)) vec<T, 3> yzx, gbr;
    constexpr vec<T, 3> __get_yzy() const { return {y, z, y}; }
    __declspec(property(get = __get_yzy)) vec<T, 3> yzy, gbg;
    constexpr vec<T, 3> __get_yzz() const { return {y, z, z}; }
    __declspec(property(get = __get_yzz)) vec<T, 3> yzz, gbb;
    constexpr vec<T, 3> __get_yzw() const { return {y, z, w}; }
    constexpr vec<T, 3> __put_yzw(vec<T, 3> v) { y = v.x; z = v.y; w = v.z; return v; }
    __declspec(property(get = __get_yzw, put = __put_yzw)) vec<T, 3> yzw, gba;
    constexpr vec<T, 3> __get_ywx() const { return {y, w, x}; }
    constexpr vec<T, 3> __put_ywx(vec<T, 3> v) { y = v.x; w = v.y; x = v.z; return v; }
    __declspec(property(get = __get_ywx, put = __put_ywx)) vec<T, 3> ywx, gar;
    constexpr vec<T, 3> __get_ywy() const { return {y, w, y}; }
    __declspec(property(get = __get_ywy)) vec<T, 3> ywy, gag;
    constexpr vec<T, 3> __get_ywz() const { return {y, w, z}; }
    constexpr vec<T, 3> __put_ywz(vec<T, 3> v) { y = v.x; w = v.y; z = v.z; return v; }
    __declspec(property(get = __get_ywz, put = __put_ywz)) vec<T, 3> ywz, gab;
    constexpr vec<T, 3> __get_yww() const { return {y, w, w}; }
    __declspec(property(get = __get_yww)) vec<T, 3> yww, gaa;
    constexpr vec<T, 3> __get_zxx() const { return {z, x, x}; }
    __declspec(property(get = __get_zxx)) vec<T, 3> zxx, brr;
    constexpr vec<T, 3> __get_zxy() const { return {z, x, y}; }
    constexpr vec<T, 3> __put_zxy(vec<T, 3> v) { z = v.x; x = v.y; y = v.z; return v; }
    __declspec(property(get = __get_zxy, put = __put_zxy)) vec<T, 3> zxy, brg;
    constexpr vec<T, 3> __get_zxz() const { return {z, x, z}; }
    __declspec(property(get = __get_zxz)) vec<T, 3> zxz, brb;
    constexpr vec<T, 3> __get_zxw() const { return {z, x, w}; }
    constexpr vec<T, 3> __put_zxw(vec<T, 3> v) { z = v.x; x = v.y; w = v.z; return v; }
    __declspec(property(get = __get_zxw, put = __put_zxw)) vec<T, 3> zxw, bra;
    constexpr vec<T, 3> __get_zyx() const { return {z, y, x}; }
    constexpr vec<T, 3> __put_zyx(vec<T, 3> v) { z = v.x; y = v.y; x = v.z; return v; }
    __declspec(property(get = __get_zyx, put = __put_zyx)) vec<T, 3> zyx, bgr;
    constexpr vec<T, 3> __get_zyy() const { return {z, y, y}; }
    __declspec(property(get = __get_zyy)) vec<T, 3> zyy, bgg;
    constexpr vec<T, 3> __get_zyz() const { return {z, y, z}; }
    __declspec(property(get = __get_zyz)) vec<T, 3> zyz, bgb;
    constexpr vec<T, 3> __get_zyw() const { return {z, y, w}; }
    constexpr vec<T, 3> __put_zyw(vec<T, 3> v) { z = v.x; y = v.y; w = v.z; return v; }
    __declspec(property(get = __get_zyw, put = __put_zyw)) vec<T, 3> zyw, bga;
    constexpr vec<T, 3> __get_zzx() const { return {z, z, x}; }
    __declspec(property(get = __get_zzx)) vec<T, 3> zzx, bbr;
    constexpr vec<T, 3> __get_zzy() const { return {z, z, y}; }
    __declspec(property(get = __get_zzy)) vec<T, 3> zzy, bbg;
    constexpr vec<T, 3> __get_zzz() const { return {z, z, z}; }
    __declspec(property(get = __get_zzz)) vec<T, 3> zzz, bbb;
    constexpr vec<T, 3> __get_zzw() const { return {z, z, w}; }
    __declspec(property(get = __get_zzw)) vec<T, 3> zzw, bba;
    constexpr vec<T, 3> __get_zwx() const { return {z, w, x}; }
    constexpr vec<T, 3> __put_zwx(vec<T, 3> v) { z = v.x; w = v.y; x = v.z; return v; }
    __declspec(property(get = __get_zwx, put = __put_zwx)) vec<T, 3> zwx, bar;
    constexpr vec<T, 3> __get_zwy() const { return {z, w, y}; }
    constexpr vec<T, 3> __put_zwy(vec<T, 3> v) { z = v.x; w = v.y; y = v.z; return v; }
    __declspec(property(get = __get_zwy, put = __put_zwy)) vec<T, 3> zwy, bag;
    constexpr vec<T, 3> __get_zwz() const { return {z, w, z}; }
    __declspec(property(get = __get_zwz)) vec<T, 3> zwz, bab;
    constexpr vec<T, 3> __get_zww() const { return {z, w, w}; }
    __declspec(property(get = __get_zww)) vec<T, 3> zww, baa;
    constexpr vec<T, 3> __get_wxx() const { return {w, x, x}; }
    __declspec(property(get = __get_wxx)) vec<T, 3> wxx, arr;
    constexpr vec<T, 3> __get_wxy() const { return {w, x, y}; }
    constexpr vec<T, 3> __put_wxy(vec<T, 3> v) { w = v.x; x = v.y; y = v.z; return v; }
    __declspec(property(get = __get_wxy, put = __put_wxy)) vec<T, 3> wxy, arg;
    constexpr vec<T, 3> __get_wxz() const { return {w, x, z}; }
    constexpr vec<T, 3> __put_wxz(vec<T, 3> v) { w = v.x; x = v.y; z = v.z; return v; }
    __declspec(property(get = __get_wxz, put = __put_wxz)) vec<T, 3> wxz, arb;
    constexpr vec<T, 3> __get_wxw() const { return {w, x, w}; }
    __declspec(property(get = __get_wxw)) vec<T, 3> wxw, ara;
    constexpr vec<T, 3> __get_wyx() const { return {w, y, x}; }
    constexpr vec<T, 3> __put_wyx(vec<T, 3> v) { w = v.x; y = v.y; x = v.z; return v; }
    __declspec(property(get = __get_wyx, put = __put_wyx)) vec<T, 3> wyx, agr;
    constexpr vec<T, 3> __get_wyy() const { return {w, y, y}; }
    __declspec(property(get = __get_wyy)) vec<T, 3> wyy, agg;
    constexpr vec<T, 3> __get_wyz() const { return {w, y, z}; }
    constexpr vec<T, 3> __put_wyz(vec<T, 3> v) { w = v.x; y = v.y; z = v.z; return v; }
    __declspec(property(get = __get_wyz, put = __put_wyz)) vec<T, 3> wyz, agb;
    constexpr vec<T, 3> __get_wyw() const { return {w, y, w}; }
    __declspec(property(get = __get_wyw)) vec<T, 3> wyw, aga;
    constexpr vec<T, 3> __get_wzx() const { return {w, z, x}; }
    constexpr vec<T, 3> __put_wzx(vec<T, 3> v) { w = v.x; z = v.y; x = v.z; return v; }
    __declspec(property(get = __get_wzx, put = __put_wzx)) vec<T, 3> wzx, abr;
    constexpr vec<T, 3> __get_wzy() const { return {w, z, y}; }
    constexpr vec<T, 3> __put_wzy(vec<T, 3> v) { w = v.x; z = v.y; y = v.z; return v; }
    __declspec(property(get = __get_wzy, put = __put_wzy)) vec<T, 3> wzy, abg;
    constexpr vec<T, 3> __get_wzz() const { return {w, z, z}; }
    __declspec(property(get = __get_wzz)) vec<T, 3> wzz, abb;
    constexpr vec<T, 3> __get_wzw() const { return {w, z, w}; }
    __declspec(property(get = __get_wzw)) vec<T, 3> wzw, aba;
    constexpr vec<T, 3> __get_wwx() const { return {w, w, x}; }
    __declspec(property(get = __get_wwx)) vec<T, 3> wwx, aar;
    constexpr vec<T, 3> __get_wwy() const { return {w, w, y}; }
    __declspec(property(get = __get_wwy)) vec<T, 3> wwy, aag;
    constexpr vec<T, 3> __get_wwz() const { return {w, w, z}; }
    __declspec(property(get = __get_wwz)) vec<T, 3> wwz, aab;
    constexpr vec<T, 3> __get_www() const { return {w, w, w}; }
    __declspec(property(get = __get_www)) vec<T, 3> www, aaa;
    constexpr vec<T, 4> __get_xxxx() const { return {x, x, x, x}; }
    __declspec(property(get = __get_xxxx)) vec<T, 4> xxxx, rrrr;
    constexpr vec<T, 4> __get_xxxy() const { return {x, x, x, y}; }
    __declspec(property(get = __get_xxxy)) vec<T, 4> xxxy, rrrg;
    constexpr vec<T, 4> __get_xxxz() const { return {x, x, x, z}; }
    __declspec(property(get = __get_xxxz)) vec<T, 4> xxxz, rrrb;
    constexpr vec<T, 4> __get_xxxw() const { return {x, x, x, w}; }
    __declspec(property(get = __get_xxxw)) vec<T, 4> xxxw, rrra;
    constexpr vec<T, 4> __get_xxyx() const { return {x, x, y, x}; }
    __declspec(property(get = __get_xxyx)) vec<T, 4> xxyx, rrgr;
    constexpr vec<T, 4> __get_xxyy() const { return {x, x, y, y}; }
    __declspec(property(get = __get_xxyy)) vec<T, 4> xxyy, rrgg;
    constexpr vec<T, 4> __get_xxyz() const { return {x, x, y, z}; }
    __declspec(property(get = __get_xxyz)) vec<T, 4> xxyz, rrgb;
    constexpr vec<T, 4> __get_xxyw() const { return {x, x, y, w}; }
    __declspec(property(get = __get_xxyw)) vec<T, 4> xxyw, rrga;
    constexpr vec<T, 4> __get_xxzx() const { return {x, x, z, x}; }
    __declspec(property(get = __get_xxzx)) vec<T, 4> xxzx, rrbr;
    constexpr vec<T, 4> __get_xxzy() const { return {x, x, z, y}; }
    __declspec(property(get = __get_xxzy)) vec<T, 4> xxzy, rrbg;
    constexpr vec<T, 4> __get_xxzz() const { return {x, x, z, z}; }
    __declspec(property(get = __get_xxzz)) vec<T, 4> xxzz, rrbb;
    constexpr vec<T, 4> __get_xxzw() const { return {x, x, z, w}; }
    __declspec(property(get = __get_xxzw)) vec<T, 4> xxzw, rrba;
    constexpr vec<T, 4> __get_xxwx() const { return {x, x, w, x}; }
    __declspec(property(get = __get_xxwx)) vec<T, 4> xxwx, rrar;
    constexpr vec<T, 4> __get_xxwy() const { return {x, x, w, y}; }
    __declspec(property(get = __get_xxwy)) vec<T, 4> xxwy, rrag;
    constexpr vec<T, 4> __get_xxwz() const { return {x, x, w, z}; }
    __declspec(property(get = __get_xxwz)) vec<T, 4> xxwz, rrab;
    constexpr vec<T, 4> __get_xxww() const { return {x, x, w, w}; }
    __declspec(property(get = __get_xxww)) vec<T, 4> xxww, rraa;
    constexpr vec<T, 4> __get_xyxx() const { return {x, y, x, x}; }
    __declspec(property(get = __get_xyxx)) vec<T, 4> xyxx, rgrr;
    constexpr vec<T, 4> __get_xyxy() const { return {x, y, x, y}; }
    __declspec(property(get = __get_xyxy)) vec<T, 4> xyxy, rgrg;
    constexpr vec<T, 4> __get_xyxz() const { return {x, y, x, z}; }
    __declspec(property(get = __get_xyxz)) vec<T, 4> xyxz, rgrb;
    constexpr vec<T, 4> __get_xyxw() const { return {x, y, x, w}; }
    __declspec(property(get = __get_xyxw)) vec<T, 4> xyxw, rgra;
    constexpr vec<T, 4> __get_xyyx() const { return {x, y, y, x}; }
    __declspec(property(get = __get_xyyx)) vec<T, 4> xyyx, rggr;
    constexpr vec<T, 4> __get_xyyy() const { return {x, y, y, y}; }
    __declspec(property(get = __get_xyyy)) vec<T, 4> xyyy, rggg;
    constexpr vec<T, 4> __get_xyyz() const { return {x, y, y, z}; }
    __declspec(property(get = __get_xyyz)) vec<T, 4> xyyz, rggb;
    constexpr vec<T, 4> __get_xyyw() const { return {x, y, y, w}; }
    __declspec(property(get = __get_xyyw)) vec<T, 4> xyyw, rgga;
    constexpr vec<T, 4> __get_xyzx() const { return {x, y, z, x}; }
    __declspec(property(get = __get_xyzx)) vec<T, 4> xyzx, rgbr;
    constexpr vec<T, 4> __get_xyzy() const { return {x, y, z, y}; }
    __declspec(property(get = __get_xyzy)) vec<T, 4> xyzy, rgbg;
    constexpr vec<T, 4> __get_xyzz() const { return {x, y, z, z}; }
    __declspec(property(get = __get_xyzz)) vec<T, 4> xyzz, rgbb;
    constexpr vec<T, 4> __get_xyzw() const { return {x, y, z, w}; }
    constexpr vec<T, 4> __put_xyzw(vec<T, 4> v) { x = v.x; y = v.y; z = v.z; w = v.w; return v; }
    __declspec(property(get = __get_xyzw, put = __put_xyzw)) vec<T, 4> xyzw, rgba;
    constexpr vec<T, 4> __get_xywx() const { return {x, y, w, x}; }
    __declspec(property(get = __get_xywx)) vec<T, 4> xywx, rgar;
    constexpr vec<T, 4> __get_xywy() const { return {x, y, w, y}; }
    __declspec(property(get = __get_xywy)) vec<T, 4> xywy, rgag;
    constexpr vec<T, 4> __get_xywz() const { return {x, y, w, z}; }
    constexpr vec<T, 4> __put_xywz(vec<T, 4> v) { x = v.x; y = v.y; w = v.z; z = v.w; return v; }
    __declspec(property(get = __get_xywz, put = __put_xywz)) vec<T, 4> xywz, rgab;
    constexpr vec<T, 4> __get_xyww() const { return {x, y, w, w}; }
    __declspec(property(get = __get_xyww)) vec<T, 4> xyww, rgaa;
    constexpr vec<T, 4> __get_xzxx() const { return {x, z, x, x}; }
    __declspec(property(get = __get_xzxx)) vec<T, 4> xzxx, rbrr;
    constexpr vec<T, 4> __get_xzxy() const { return {x, z, x, y}; }
    __declspec(property(get = __get_xzxy)) vec<T, 4> xzxy, rbrg;
    constexpr vec<T, 4> __get_xzxz() const { return {x, z, x, z}; }
    __declspec(property(get = __get_xzxz)) vec<T, 4> xzxz, rbrb;
    constexpr vec<T, 4> __get_xzxw() const { return {x, z, x, w}; }
    __declspec(property(get = __get_xzxw)) vec<T, 4> xzxw, rbra;
    constexpr vec<T, 4> __get_xzyx() const { return {x, z, y, x}; }
    __declspec(property(get = __get_xzyx)) vec<T, 4> xzyx, rbgr;
    constexpr vec<T, 4> __get_xzyy() const { return {x, z, y, y}; }
    __declspec(property(get = __get_xzyy)) vec<T, 4> xzyy, rbgg;
    constexpr vec<T, 4> __get_xzyz() const { return {x, z, y, z}; }
    __declspec(property(get = __get_xzyz)) vec<T, 4> xzyz, rbgb;
    constexpr vec<T, 4> __get_xzyw() const { return {x, z, y, w}; }
    constexpr vec<T, 4> __put_xzyw(vec<T, 4> v) { x = v.x; z = v.y; y = v.z; w = v.w; return v; }
    __declspec(property(get = __get_xzyw, put = __put_xzyw)) vec<T, 4> xzyw, rbga;
    constexpr vec<T, 4> __get_xzzx() const { return {x, z, z, x}; }
    __declspec(property(get = __get_xzzx)) vec<T, 4> xzzx, rbbr;
    constexpr vec<T, 4> __get_xzzy() const { return {x, z, z, y}; }
    __declspec(property(get = __get_xzzy)) vec<T, 4> xzzy, rbbg;
    constexpr vec<T, 4> __get_xzzz() const { return {x, z, z, z}; }
    __declspec(property(get = __get_xzzz)) vec<T, 4> xzzz, rbbb;
    constexpr vec<T, 4> __get_xzzw() const { return {x, z, z, w}; }
    __declspec(property(get = __get_xzzw)) vec<T, 4> xzzw, rbba;
    constexpr vec<T, 4> __get_xzwx() const { return {x, z, w, x}; }
    __declspec(property(get = __get_xzwx)) vec<T, 4> xzwx, rbar;
    constexpr vec<T, 4> __get_xzwy() const { return {x, z, w, y}; }
    constexpr vec<T, 4> __put_xzwy(vec<T, 4> v) { x = v.x; z = v.y; w = v.z; y = v.w; return v; }
    __declspec(property(get = __get_xzwy, put = __put_xzwy)) vec<T, 4> xzwy, rbag;
    constexpr vec<T, 4> __get_xzwz() const { return {x, z, w, z}; }
    __declspec(property(get = __get_xzwz)) vec<T, 4> xzwz, rbab;
    constexpr vec<T, 4> __get_xzww() const { return {x, z, w, w}; }
    __declspec(property(get = __get_xzww)) vec<T, 4> xzww, rbaa;
    constexpr vec<T, 4> __get_xwxx() const { return {x, w, x, x}; }
    __declspec(property(get = __get_xwxx)) vec<T, 4> xwxx, rarr;
    constexpr vec<T, 4> __get_xwxy() const { return {x, w, x, y}; }
    __declspec(property(get = __get_xwxy)) vec<T, 4> xwxy, rarg;
    constexpr vec<T, 4> __get_xwxz() const { return {x, w, x, z}; }
    __declspec(property(get = __get_xwxz)) vec<T, 4> xwxz, rarb;
    constexpr vec<T, 4> __get_xwxw() const { return {x, w, x, w}; }
    __declspec(property(get = __get_xwxw)) vec<T, 4> xwxw, rara;
    constexpr vec<T, 4> __get_xwyx() const { return {x, w, y, x}; }
    __declspec(property(get = __get_xwyx)) vec<T, 4> xwyx, ragr;
    constexpr vec<T, 4> __get_xwyy() const { return {x, w, y, y}; }
    __declspec(property(get = __get_xwyy)) vec<T, 4> xwyy, ragg;
    constexpr vec<T, 4> __get_xwyz() const { return {x, w, y, z}; }
    constexpr vec<T, 4> __put_xwyz(vec<T, 4> v) { x = v.x; w = v.y; y = v.z; z = v.w; return v; }
    __declspec(property(get = __get_xwyz, put = __put_xwyz)) vec<T, 4> xwyz, ragb;
    constexpr vec<T, 4> __get_xwyw() const { return {x, w, y, w}; }
    __declspec(property(get = __get_xwyw)) vec<T, 4> xwyw, raga;
    constexpr vec<T, 4> __get_xwzx() const { return {x, w, z, x}; }
    __declspec(property(get = __get_xwzx)) vec<T, 4> xwzx, rabr;
    constexpr vec<T, 4> __get_xwzy() const { return {x, w, z, y}; }
    constexpr vec<T, 4> __put_xwzy(vec<T, 4> v) { x = v.x; w = v.y; z = v.z; y = v.w; return v; }
    __declspec(property(get = __get_xwzy, put = __put_xwzy)) vec<T, 4> xwzy, rabg;
    constexpr vec<T, 4> __get_xwzz() const { return {x, w, z, z}; }
    __declspec(property(get = __get_xwzz)) vec<T, 4> xwzz, rabb;
    constexpr vec<T, 4> __get_xwzw() const { return {x, w, z, w}; }
    __declspec(property(get = __get_xwzw)) vec<T, 4> xwzw, raba;
    constexpr vec<T, 4> __get_xwwx() const { return {x, w, w, x}; }
    __declspec(property(get = __get_xwwx)) vec<T, 4> xwwx, raar;
    constexpr vec<T, 4> __get_xwwy() const { return {x, w, w, y}; }
    __declspec(property(get = __get_xwwy)) vec<T, 4> xwwy, raag;
    constexpr vec<T, 4> __get_xwwz() const { return {x, w, w, z}; }
    __declspec(property(get = __get_xwwz)) vec<T, 4> xwwz, raab;
    constexpr vec<T, 4> __get_xwww() const { return {x, w, w, w}; }
    __declspec(property(get = __get_xwww)) vec<T, 4> xwww, raaa;
    constexpr vec<T, 4> __get_yxxx() const { return {y, x, x, x}; }
    __declspec(property(get = __get_yxxx)) vec<T, 4> yxxx, grrr;
    constexpr vec<T, 4> __get_yxxy() const { return {y, x, x, y}; }
    __declspec(property(get = __get_yxxy)) vec<T, 4> yxxy, grrg;
    constexpr vec<T, 4> __get_yxxz() const { return {y, x, x, z}; }
    __declspec(property(get = __get_yxxz)) vec<T, 4> yxxz, grrb;
    constexpr vec<T, 4> __get_yxxw() const { return {y, x, x, w}; }
    __declspec(property(get = __get_yxxw)) vec<T, 4> yxxw, grra;
    constexpr vec<T, 4> __get_yxyx() const { return {y, x, y, x}; }
    __declspec(property(get = __get_yxyx)) vec<T, 4> yxyx, grgr;
    constexpr vec<T, 4> __get_yxyy() const { return {y, x, y, y}; }
    __declspec(property(get = __get_yxyy)) vec<T, 4> yxyy, grgg;
    constexpr vec<T, 4> __get_yxyz() const { return {y, x, y, z}; }
    __declspec(property(get = __get_yxyz)) vec<T, 4> yxyz, grgb;
    constexpr vec<T, 4> __get_yxyw() const { return {y, x, y, w}; }
    __declspec(property(get = __get_yxyw)) vec<T, 4> yxyw, grga;
    constexpr vec<T, 4> __get_yxzx() const { return {y, x, z, x}; }
    __declspec(property(get = __get_yxzx)) vec<T, 4> yxzx, grbr;
    constexpr vec<T, 4> __get_yxzy() const { return {y, x, z, y}; }
    __declspec(property(get = __get_yxzy)) vec<T, 4> yxzy, grbg;
    constexpr vec<T, 4> __get_yxzz() const { return {y, x, z, z}; }
    __declspec(property(get = __get_yxzz)) vec<T, 4> yxzz, grbb;
    constexpr vec<T, 4> __get_yxzw() const { return {y, x, z, w}; }
    constexpr vec<T, 4> __put_yxzw(vec<T, 4> v) { y = v.x; x = v.y; z = v.z; w = v.w; return v; }
    __declspec(property(get = __get_yxzw, put = __put_yxzw)) vec<T, 4> yxzw, grba;
    constexpr vec<T, 4> __get_yxwx() const { return {y, x, w, x}; }
    __declspec(property(get = __get_yxwx)) vec<T, 4> yxwx, grar;
    constexpr vec<T, 4> __get_yxwy() const { return {y, x, w, y}; }
    __declspec(property(get = __get_yxwy)) vec<T, 4> yxwy, grag;
    constexpr vec<T, 4> __get_yxwz() const { return {y, x, w, z}; }
    constexpr vec<T, 4> __put_yxwz(vec<T, 4> v) { y = v.x; x = v.y; w = v.z; z = v.w; return v; }
    __declspec(property(get = __get_yxwz, put = __put_yxwz)) vec<T, 4> yxwz, grab;
    constexpr vec<T, 4> __get_yxww() const { return {y, x, w, w}; }
    __declspec(property(get = __get_yxww)) vec<T, 4> yxww, graa;
    constexpr vec<T, 4> __get_yyxx() const { return {y, y, x, x}; }
    __declspec(property(get = __get_yyxx)) vec<T, 4> yyxx, ggrr;
    constexpr vec<T, 4> __get_yyxy() const { return {y, y, x, y}; }
    __declspec(property(get = __get_yyxy)) vec<T, 4> yyxy, ggrg;
    constexpr vec<T, 4> __get_yyxz() const { return {y, y, x, z}; }
    __declspec(property(get = __get_yyxz)) vec<T, 4> yyxz, ggrb;
    constexpr vec<T, 4> __get_yyxw() const { return {y, y, x, w}; }
    __declspec(property(get = __get_yyxw)) vec<T, 4> yyxw, ggra;
    constexpr vec<T, 4> __get_yyyx() const { return {y, y, y, x}; }
    __declspec(property(get = __get_yyyx)) vec<T, 4> yyyx, gggr;
    constexpr vec<T, 4> __get_yyyy() const { return {y, y, y, y}; }
    __declspec(property(get = __get_yyyy)) vec<T, 4> yyyy, gggg;
    constexpr vec<T, 4> __get_yyyz() const { return {y, y, y, z}; }
    __declspec(property(get = __get_yyyz)) vec<T, 4> yyyz, gggb;
    constexpr vec<T, 4> __get_yyyw() const { return {y, y, y, w}; }
    __declspec(property(get = __get_yyyw)) vec<T, 4> yyyw, ggga;
    constexpr vec<T, 4> __get_yyzx() const { return {y, y, z, x}; }
    __declspec(property(get = __get_yyzx)) vec<T, 4> yyzx, ggbr;
    constexpr vec<T, 4> __get_yyzy() const { return {y, y, z, y}; }
    __declspec(property(get = __get_yyzy)) vec<T, 4> yyzy, ggbg;
    constexpr vec<T, 4> __get_yyzz() const { return {y, y, z, z}; }
    __declspec(property(get = __get_yyzz)) vec<T, 4> yyzz, ggbb;
    constexpr vec<T, 4> __get_yyzw() const { return {y, y, z, w}; }
    __declspec(property(get = __get_yyzw)) vec<T, 4> yyzw, ggba;
    constexpr vec<T, 4> __get_yywx() const { return {y, y, w, x}; }
    __declspec(property(get = __get_yywx)) vec<T, 4> yywx, ggar;
    constexpr vec<T, 4> __get_yywy() const { return {y, y, w, y}; }
    __declspec(property(get = __get_yywy)) vec<T, 4> yywy, ggag;
    constexpr vec<T, 4> __get_yywz() const { return {y, y, w, z}; }
    __declspec(property(get = __get_yywz)) vec<T, 4> yywz, ggab;
    constexpr vec<T, 4> __get_yyww() const { return {y, y, w, w}; }
    __declspec(property(get = __get_yyww)) vec<T, 4> yyww, ggaa;
    constexpr vec<T, 4> __get_yzxx() const { return {y, z, x, x}; }
    __declspec(property(get = __get_yzxx)) vec<T, 4> yzxx, gbrr;
    constexpr vec<T, 4> __get_yzxy() const { return {y, z, x, y}; }
    __declspec(property(get = __get_yzxy)) vec<T, 4> yzxy, gbrg;
    constexpr vec<T, 4> __get_yzxz() const { return {y, z, x, z}; }
    __declspec(property(get = __get_yzxz)) vec<T, 4> yzxz, gbrb;
    constexpr vec<T, 4> __get_yzxw() const { return {y, z, x, w}; }
    constexpr vec<T, 4> __put_yzxw(vec<T, 4> v) { y = v.x; z = v.y; x = v.z; w = v.w; return v; }
    __declspec(property(get = __get_yzxw, put = __put_yzxw)) vec<T, 4> yzxw, gbra;
    constexpr vec<T, 4> __get_yzyx() const { return {y, z, y, x}; }
    __declspec(property(get = __get_yzyx)) vec<T, 4> yzyx, gbgr;
    constexpr vec<T, 4> __get_yzyy() const { return {y, z, y, y}; }
    __declspec(property(get = __get_yzyy)) vec<T, 4> yzyy, gbgg;
    constexpr vec<T, 4> __get_yzyz() const { return {y, z, y, z}; }
    __declspec(property(get = __get_yzyz)) vec<T, 4> yzyz, gbgb;
    constexpr vec<T, 4> __get_yzyw() const { return {y, z, y, w}; }
    __declspec(property(get = __get_yzyw)) vec<T, 4> yzyw, gbga;
    constexpr vec<T, 4> __get_yzzx() const { return {y, z, z, x}; }
    __declspec(property(get = __get_yzzx)) vec<T, 4> yzzx, gbbr;
    constexpr vec<T, 4> __get_yzzy() const { return {y, z, z, y}; }
    __declspec(property(get = __get_yzzy)) vec<T, 4> yzzy, gbbg;
    constexpr vec<T, 4> __get_yzzz() const { return {y, z, z, z}; }
    __declspec(property(get = __get_yzzz)) vec<T, 4> yzzz, gbbb;
    constexpr vec<T, 4> __get_yzzw() const { return {y, z, z, w}; }
    __declspec(property(get = __get_yzzw)) vec<T, 4> yzzw, gbba;
    constexpr vec<T, 4> __get_yzwx() const { return {y, z, w, x}; }
    constexpr vec<T, 4> __put_yzwx(vec<T, 4> v) { y = v.x; z = v.y; w = v.z; x = v.w; return v; }
    __declspec(property(get = __get_yzwx, put = __put_yzwx)) vec<T, 4> yzwx, gbar;
    constexpr vec<T, 4> __get_yzwy() const { return {y, z, w, y}; }
    __declspec(property(get = __get_yzwy)) vec<T, 4> yzwy, gbag;
    constexpr vec<T, 4> __get_yzwz() const { return {y, z, w, z}; }
    __declspec(property(get = __get_yzwz)) vec<T, 4> yzwz, gbab;
    constexpr vec<T, 4> __get_yzww() const { return {y, z, w, w}; }
    __declspec(property(get = __get_yzww)) vec<T, 4> yzww, gbaa;
    constexpr vec<T, 4> __get_ywxx() const { return {y, w, x, x}; }
    __declspec(property(get = __get_ywxx)) vec<T, 4> ywxx, garr;
    constexpr vec<T, 4> __get_ywxy() const { return {y, w, x, y}; }
    __declspec(property(get = __get_ywxy)) vec<T, 4> ywxy, garg;
    constexpr vec<T, 4> __get_ywxz() const { return {y, w, x, z}; }
    constexpr vec<T, 4> __put_ywxz(vec<T, 4> v) { y = v.x; w = v.y; x = v.z; z = v.w; return v; }
    __declspec(property(get = __get_ywxz, put = __put_ywxz)) vec<T, 4> ywxz, garb;
    constexpr vec<T, 4> __get_ywxw() const { return {y, w, x, w}; }
    __declspec(property(get = __get_ywxw)) vec<T, 4> ywxw, gara;
    constexpr vec<T, 4> __get_ywyx() const { return {y, w, y, x}; }
    __declspec(property(get = __get_ywyx)) vec<T, 4> ywyx, gagr;
    constexpr vec<T, 4> __get_ywyy() const { return {y, w, y, y}; }
    __declspec(property(get = __get_ywyy)) vec<T, 4> ywyy, gagg;
    constexpr vec<T, 4> __get_ywyz() const { return {y, w, y, z}; }
    __declspec(property(get = __get_ywyz)) vec<T, 4> ywyz, gagb;
    constexpr vec<T, 4> __get_ywyw() const { return {y, w, y, w}; }
    __declspec(property(get = __get_ywyw)) vec<T, 4> ywyw, gaga;
    constexpr vec<T, 4> __get_ywzx() const { return {y, w, z, x}; }
    constexpr vec<T, 4> __put_ywzx(vec<T, 4> v) { y = v.x; w = v.y; z = v.z; x = v.w; return v; }
    __declspec(property(get = __get_ywzx, put = __put_ywzx)) vec<T, 4> ywzx, gabr;
    constexpr vec<T, 4> __get_ywzy() const { return {y, w, z, y}; }
    __declspec(property(get = __get_ywzy)) vec<T, 4> ywzy, gabg;
    constexpr vec<T, 4> __get_ywzz() const { return {y, w, z, z}; }
    __declspec(property(get = __get_ywzz)) vec<T, 4> ywzz, gabb;
    constexpr vec<T, 4> __get_ywzw() const { return {y, w, z, w}; }
    __declspec(property(get = __get_ywzw)) vec<T, 4> ywzw, gaba;
    constexpr vec<T, 4> __get_ywwx() const { return {y, w, w, x}; }
    __declspec(property(get = __get_ywwx)) vec<T, 4> ywwx, gaar;
    constexpr vec<T, 4> __get_ywwy() const { return {y, w, w, y}; }
    __declspec(property(get = __get_ywwy)) vec<T, 4> ywwy, gaag;
    constexpr vec<T, 4> __get_ywwz() const { return {y, w, w, z}; }
    __declspec(property(get = __get_ywwz)) vec<T, 4> ywwz, gaab;
    constexpr vec<T, 4> __get_ywww() const { return {y, w, w, w}; }
    __declspec(property(get = __get_ywww)) vec<T, 4> ywww, gaaa;
    constexpr vec<T, 4> __get_zxxx() const { return {z, x, x, x}; }
    __declspec(property(get = __get_zxxx)) vec<T, 4> zxxx, brrr;
    constexpr vec<T, 4> __get_zxxy() const { return {z, x, x, y}; }
    __declspec(property(get = __get_zxxy)) vec<T, 4> zxxy, brrg;
    constexpr vec<T, 4> __get_zxxz() const { return {z, x, x, z}; }
    __declspec(property(get = __get_zxxz)) vec<T, 4> zxxz, brrb;
    constexpr vec<T, 4> __get_zxxw() const { return {z, x, x, w}; }
    __declspec(property(get = __get_zxxw)) vec<T, 4> zxxw, brra;
    constexpr vec<T, 4> __get_zxyx() const { return {z, x, y, x}; }
    __declspec(property(get = __get_zxyx)) vec<T, 4> zxyx, brgr;
    constexpr vec<T, 4> __get_zxyy() const { return {z, x, y, y}; }
    __declspec(property(get = __get_zxyy)) vec<T, 4> zxyy, brgg;
    constexpr vec<T, 4> __get_zxyz() const { return {z, x, y, z}; }
    __declspec(property(get = __get_zxyz)) vec<T, 4> zxyz, brgb;
    constexpr vec<T, 4> __get_zxyw() const { return {z, x, y, w}; }
    constexpr vec<T, 4> __put_zxyw(vec<T, 4> v) { z = v.x; x = v.y; y = v.z; w = v.w; return v; }
    __declspec(property(get = __get_zxyw, put = __put_zxyw)) vec<T, 4> zxyw, brga;
    constexpr vec<T, 4> __get_zxzx() const { return {z, x, z, x}; }
    __declspec(property(get = __get_zxzx)) vec<T, 4> zxzx, brbr;
    constexpr vec<T, 4> __get_zxzy() const { return {z, x, z, y}; }
    __declspec(property(get = __get_zxzy)) vec<T, 4> zxzy, brbg;
    constexpr vec<T, 4> __get_zxzz() const { return {z, x, z, z}; }
    __declspec(property(get = __get_zxzz)) vec<T, 4> zxzz, brbb;
    constexpr vec<T, 4> __get_zxzw() const { return {z, x, z, w}; }
    __declspec(property(get = __get_zxzw)) vec<T, 4> zxzw, brba;
    constexpr vec<T, 4> __get_zxwx() const { return {z, x, w, x}; }
    __declspec(property(get = __get_zxwx)) vec<T, 4> zxwx, brar;
    constexpr vec<T, 4> __get_zxwy() const { return {z, x, w, y}; }
    constexpr vec<T, 4> __put_zxwy(vec<T, 4> v) { z = v.x; x = v.y; w = v.z; y = v.w; return v; }
    __declspec(property(get = __get_zxwy, put = __put_zxwy)) vec<T, 4> zxwy, brag;
    constexpr vec<T, 4> __get_zxwz() const { return {z, x, w, z}; }
    __declspec(property(get = __get_zxwz)) vec<T, 4> zxwz, brab;
    constexpr vec<T, 4> __get_zxww() const { return {z, x, w, w}; }
    __declspec(property(get = __get_zxww)) vec<T, 4> zxww, braa;
    constexpr vec<T, 4> __get_zyxx() const { return {z, y, x, x}; }
    __declspec(property(get = __get_zyxx)) vec<T, 4> zyxx, bgrr;
    constexpr vec<T, 4> __get_zyxy() const { return {z, y, x, y}; }
    __declspec(property(get = __get_zyxy)) vec<T, 4> zyxy, bgrg;
    constexpr vec<T, 4> __get_zyxz() const { return {z, y, x, z}; }
    __declspec(property(get = __get_zyxz)) vec<T, 4> zyxz, bgrb;
    constexpr vec<T, 4> __get_zyxw() const { return {z, y, x, w}; }
    constexpr vec<T, 4> __put_zyxw(vec<T, 4> v) { z = v.x; y = v.y; x = v.z; w = v.w; return v; }
    __declspec(property(get = __get_zyxw, put = __put_zyxw)) vec<T, 4> zyxw, bgra;
    constexpr vec<T, 4> __get_zyyx() const { return {z, y, y, x}; }
    __declspec(property(get = __get_zyyx)) vec<T, 4> zyyx, bggr;
    constexpr vec<T, 4> __get_zyyy() const { return {z, y, y, y}; }
    __declspec(property(get = __get_zyyy)) vec<T, 4> zyyy, bggg;
    constexpr vec<T, 4> __get_zyyz() const { return {z, y, y, z}; }
    __declspec(property(get = __get_zyyz)) vec<T, 4> zyyz, bggb;
    constexpr vec<T, 4> __get_zyyw() const { return {z, y, y, w}; }
    __declspec(property(get = __get_zyyw)) vec<T, 4> zyyw, bgga;
    constexpr vec<T, 4> __get_zyzx() const { return {z, y, z, x}; }
    __declspec(property(get = __get_zyzx)) vec<T, 4> zyzx, bgbr;
    constexpr vec<T, 4> __get_zyzy() const { return {z, y, z, y}; }
    __declspec(property(get = __get_zyzy)) vec<T, 4> zyzy, bgbg;
    constexpr vec<T, 4> __get_zyzz() const { return {z, y, z, z}; }
    __declspec(property(get = __get_zyzz)) vec<T, 4> zyzz, bgbb;
    constexpr vec<T, 4> __get_zyzw() const { return {z, y, z, w}; }
    __declspec(property(get = __get_zyzw)) vec<T, 4> zyzw, bgba;
    constexpr vec<T, 4> __get_zywx() const { return {z, y, w, x}; }
    constexpr vec<T, 4> __put_zywx(vec<T, 4> v) { z = v.x; y = v.y; w = v.z; x = v.w; return v; }
    __declspec(property(get = __get_zywx, put = __put_zywx)) vec<T, 4> zywx, bgar;
    constexpr vec<T, 4> __get_zywy() const { return {z, y, w, y}; }
    __declspec(property(get = __get_zywy)) vec<T, 4> zywy, bgag;
    constexpr vec<T, 4> __get_zywz() const { return {z, y, w, z}; }
    __declspec(property(get = __get_zywz)) vec<T, 4> zywz, bgab;
    constexpr vec<T, 4> __get_zyww() const { return {z, y, w, w}; }
    __declspec(property(get = __get_zyww)) vec<T, 4> zyww, bgaa;
    constexpr vec<T, 4> __get_zzxx() const { return {z, z, x, x}; }
    __declspec(property(get = __get_zzxx)) vec<T, 4> zzxx, bbrr;
    constexpr vec<T, 4> __get_zzxy() const { return {z, z, x, y}; }
    __declspec(property(get = __get_zzxy)) vec<T, 4> zzxy, bbrg;
    constexpr vec<T, 4> __get_zzxz() const { return {z, z, x, z}; }
    __declspec(property(get = __get_zzxz)) vec<T, 4> zzxz, bbrb;
    constexpr vec<T, 4> __get_zzxw() const { return {z, z, x, w}; }
    __declspec(property(get = __get_zzxw)) vec<T, 4> zzxw, bbra;
    constexpr vec<T, 4> __get_zzyx() const { return {z, z, y, x}; }
    __declspec(property(get = __get_zzyx)) vec<T, 4> zzyx, bbgr;
    constexpr vec<T, 4> __get_zzyy() const { return {z, z, y, y}; }
    __declspec(property(get = __get_zzyy)) vec<T, 4> zzyy, bbgg;
    constexpr vec<T, 4> __get_zzyz() const { return {z, z, y, z}; }
    __declspec(property(get = __get_zzyz)) vec<T, 4> zzyz, bbgb;
    constexpr vec<T, 4> __get_zzyw() const { return {z, z, y, w}; }
    __declspec(property(get = __get_zzyw)) vec<T, 4> zzyw, bbga;
    constexpr vec<T, 4> __get_zzzx() const { return {z, z, z, x}; }
    __declspec(property(get = __get_zzzx)) vec<T, 4> zzzx, bbbr;
    constexpr vec<T, 4> __get_zzzy() const { return {z, z, z, y}; }
    __declspec(property(get = __get_zzzy)) vec<T, 4> zzzy, bbbg;
    constexpr vec<T, 4> __get_zzzz() const { return {z, z, z, z}; }
    __declspec(property(get = __get_zzzz)) vec<T, 4> zzzz, bbbb;
    constexpr vec<T, 4> __get_zzzw() const { return {z, z, z, w}; }
    __declspec(property(get = __get_zzzw)) vec<T, 4> zzzw, bbba;
    constexpr vec<T, 4> __get_zzwx() const { return {z, z, w, x}; }
    __declspec(property(get = __get_zzwx)) vec<T, 4> zzwx, bbar;
    constexpr vec<T, 4> __get_zzwy() const { return {z, z, w, y}; }
    __declspec(property(get = __get_zzwy)) vec<T, 4> zzwy, bbag;
    constexpr vec<T, 4> __get_zzwz() const { return {z, z, w, z}; }
    __declspec(property(get = __get_zzwz)) vec<T, 4> zzwz, bbab;
    constexpr vec<T, 4> __get_zzww() const { return {z, z, w, w}; }
    __declspec(property(get = __get_zzww)) vec<T, 4> zzww, bbaa;
    constexpr vec<T, 4> __get_zwxx() const { return {z, w, x, x}; }
    __declspec(property(get = __get_zwxx)) vec<T, 4> zwxx, barr;
    constexpr vec<T, 4> __get_zwxy() const { return {z, w, x, y}; }
    constexpr vec<T, 4> __put_zwxy(vec<T, 4> v) { z = v.x; w = v.y; x = v.z; y = v.w; return v; }
    __declspec(property(get = __get_zwxy, put = __put_zwxy)) vec<T, 4> zwxy, barg;
    constexpr vec<T, 4> __get_zwxz() const { return {z, w, x, z}; }
    __declspec(property(get = __get_zwxz)) vec<T, 4> zwxz, barb;
    constexpr vec<T, 4> __get_zwxw() const { return {z, w, x, w}; }
    __declspec(property(get = __get_zwxw)) vec<T, 4> zwxw, bara;
    constexpr vec<T, 4> __get_zwyx() const { return {z, w, y, x}; }
    constexpr vec<T, 4> __put_zwyx(vec<T, 4> v) { z = v.x; w = v.y; y = v.z; x = v.w; return v; }
    __declspec(property(get = __get_zwyx, put = __put_zwyx)) vec<T, 4> zwyx, bagr;
    constexpr vec<T, 4> __get_zwyy() const { return {z, w, y, y}; }
    __declspec(property(get = __get_zwyy)) vec<T, 4> zwyy, bagg;
    constexpr vec<T, 4> __get_zwyz() const { return {z, w, y, z}; }
    __declspec(property(get = __get_zwyz)) vec<T, 4> zwyz, bagb;
    constexpr vec<T, 4> __get_zwyw() const { return {z, w, y, w}; }
    __declspec(property(get = __get_zwyw)) vec<T, 4> zwyw, baga;
    constexpr vec<T, 4> __get_zwzx() const { return {z, w, z, x}; }
    __declspec(property(get = __get_zwzx)) vec<T, 4> zwzx, babr;
    constexpr vec<T, 4> __get_zwzy() const { return {z, w, z, y}; }
    __declspec(property(get = __get_zwzy)) vec<T, 4> zwzy, babg;
    constexpr vec<T, 4> __get_zwzz() const { return {z, w, z, z}; }
    __declspec(property(get = __get_zwzz)) vec<T, 4> zwzz, babb;
    constexpr vec<T, 4> __get_zwzw() const { return {z, w, z, w}; }
    __declspec(property(get = __get_zwzw)) vec<T, 4> zwzw, baba;
    constexpr vec<T, 4> __get_zwwx() const { return {z, w, w, x}; }
    __declspec(property(get = __get_zwwx)) vec<T, 4> zwwx, baar;
    constexpr vec<T, 4> __get_zwwy() const { return {z, w, w, y}; }
    __declspec(property(get = __get_zwwy)) vec<T, 4> zwwy, baag;
    constexpr vec<T, 4> __get_zwwz() const { return {z, w, w, z}; }
    __declspec(property(get = __get_zwwz)) vec<T, 4> zwwz, baab;
    constexpr vec<T, 4> __get_zwww() const { return {z, w, w, w}; }
    __declspec(property(get = __get_zwww)) vec<T, 4> zwww, baaa;
    constexpr vec<T, 4> __get_wxxx() const { return {w, x, x, x}; }
    __declspec(property(get = __get_wxxx)) vec<T, 4> wxxx, arrr;
    constexpr vec<T, 4> __get_wxxy() const { return {w, x, x, y}; }
    __declspec(property(get = __get_wxxy)) vec<T, 4> wxxy, arrg;
    constexpr vec<T, 4> __get_wxxz() const { return {w, x, x, z}; }
    __declspec(property(get = __get_wxxz)) vec<T, 4> wxxz, arrb;
    constexpr vec<T, 4> __get_wxxw() const { return {w, x, x, w}; }
    __declspec(property(get = __get_wxxw)) vec<T, 4> wxxw, arra;
    constexpr vec<T, 4> __get_wxyx() const { return {w, x, y, x}; }
    __declspec(property(get = __get_wxyx)) vec<T, 4> wxyx, argr;
    constexpr vec<T, 4> __get_wxyy() const { return {w, x, y, y}; }
    __declspec(property(get = __get_wxyy)) vec<T, 4> wxyy, argg;
    constexpr vec<T, 4> __get_wxyz() const { return {w, x, y, z}; }
    constexpr vec<T, 4> __put_wxyz(vec<T, 4> v) { w = v.x; x = v.y; y = v.z; z = v.w; return v; }
    __declspec(property(get = __get_wxyz, put = __put_wxyz)) vec<T, 4> wxyz, argb;
    constexpr vec<T, 4> __get_wxyw() const { return {w, x, y, w}; }
    __declspec(property(get = __get_wxyw)) vec<T, 4> wxyw, arga;
    constexpr vec<T, 4> __get_wxzx() const { return {w, x, z, x}; }
    __declspec(property(get = __get_wxzx)) vec<T, 4> wxzx, arbr;
    constexpr vec<T, 4> __get_wxzy() const { return {w, x, z, y}; }
    constexpr vec<T, 4> __put_wxzy(vec<T, 4> v) { w = v.x; x = v.y; z = v.z; y = v.w; return v; }
    __declspec(property(get = __get_wxzy, put = __put_wxzy)) vec<T, 4> wxzy, arbg;
    constexpr vec<T, 4> __get_wxzz() const { return {w, x, z, z}; }
    __declspec(property(get = __get_wxzz)) vec<T, 4> wxzz, arbb;
    constexpr vec<T, 4> __get_wxzw() const { return {w, x, z, w}; }
    __declspec(property(get = __get_wxzw)) vec<T, 4> wxzw, arba;
    constexpr vec<T, 4> __get_wxwx() const { return {w, x, w, x}; }
    __declspec(property(get = __get_wxwx)) vec<T, 4> wxwx, arar;
    constexpr vec<T, 4> __get_wxwy() const { return {w, x, w, y}; }
    __declspec(property(get = __get_wxwy)) vec<T, 4> wxwy, arag;
    constexpr vec<T, 4> __get_wxwz() const { return {w, x, w, z}; }
    __declspec(property(get = __get_wxwz)) vec<T, 4> wxwz, arab;
    constexpr vec<T, 4> __get_wxww() const { return {w, x, w, w}; }
    __declspec(property(get = __get_wxww)) vec<T, 4> wxww, araa;
    constexpr vec<T, 4> __get_wyxx() const { return {w, y, x, x}; }
    __declspec(property(get = __get_wyxx)) vec<T, 4> wyxx, agrr;
    constexpr vec<T, 4> __get_wyxy() const { return {w, y, x, y}; }
    __declspec(property(get = __get_wyxy)) vec<T, 4> wyxy, agrg;
    constexpr vec<T, 4> __get_wyxz() const { return {w, y, x, z}; }
    constexpr vec<T, 4> __put_wyxz(vec<T, 4> v) { w = v.x; y = v.y; x = v.z; z = v.w; return v; }
    __declspec(property(get = __get_wyxz, put = __put_wyxz)) vec<T, 4> wyxz, agrb;
    constexpr vec<T, 4> __get_wyxw() const { return {w, y, x, w}; }
    __declspec(property(get = __get_wyxw)) vec<T, 4> wyxw, agra;
    constexpr vec<T, 4> __get_wyyx() const { return {w, y, y, x}; }
    __declspec(property(get = __get_wyyx)) vec<T, 4> wyyx, aggr;
    constexpr vec<T, 4> __get_wyyy() const { return {w, y, y, y}; }
    __declspec(property(get = __get_wyyy)) vec<T, 4> wyyy, aggg;
    constexpr vec<T, 4> __get_wyyz() const { return {w, y, y, z}; }
    __declspec(property(get = __get_wyyz)) vec<T, 4> wyyz, aggb;
    constexpr vec<T, 4> __get_wyyw() const { return {w, y, y, w}; }
    __declspec(property(get = __get_wyyw)) vec<T, 4> wyyw, agga;
    constexpr vec<T, 4> __get_wyzx() const { return {w, y, z, x}; }
    constexpr vec<T, 4> __put_wyzx(vec<T, 4> v) { w = v.x; y = v.y; z = v.z; x = v.w; return v; }
    __declspec(property(get = __get_wyzx, put = __put_wyzx)) vec<T, 4> wyzx, agbr;
    constexpr vec<T, 4> __get_wyzy() const { return {w, y, z, y}; }
    __declspec(property(get = __get_wyzy)) vec<T, 4> wyzy, agbg;
    constexpr vec<T, 4> __get_wyzz() const { return {w, y, z, z}; }
    __declspec(property(get = __get_wyzz)) vec<T, 4> wyzz, agbb;
    constexpr vec<T, 4> __get_wyzw() const { return {w, y, z, w}; }
    __declspec(property(get = __get_wyzw)) vec<T, 4> wyzw, agba;
    constexpr vec<T, 4> __get_wywx() const { return {w, y, w, x}; }
    __declspec(property(get = __get_wywx)) vec<T, 4> wywx, agar;
    constexpr vec<T, 4> __get_wywy() const { return {w, y, w, y}; }
    __declspec(property(get = __get_wywy)) vec<T, 4> wywy, agag;
    constexpr vec<T, 4> __get_wywz() const { return {w, y, w, z}; }
    __declspec(property(get = __get_wywz)) vec<T, 4> wywz, agab;
    constexpr vec<T, 4> __get_wyww() const { return {w, y, w, w}; }
    __declspec(property(get = __get_wyww)) vec<T, 4> wyww, agaa;
    constexpr vec<T, 4> __get_wzxx() const { return {w, z, x, x}; }
    __declspec(property(get = __get_wzxx)) vec<T, 4> wzxx, abrr;
    constexpr vec<T, 4> __get_wzxy() const { return {w, z, x, y}; }
    constexpr vec<T, 4> __put_wzxy(vec<T, 4> v) { w = v.x; z = v.y; x = v.z; y = v.w; return v; }
    __declspec(property(get = __get_wzxy, put = __put_wzxy)) vec<T, 4> wzxy, abrg;
    constexpr vec<T, 4> __get_wzxz() const { return {w, z, x, z}; }
    __declspec(property(get = __get_wzxz)) vec<T, 4> wzxz, abrb;
    constexpr vec<T, 4> __get_wzxw() const { return {w, z, x, w}; }
    __declspec(property(get = __get_wzxw)) vec<T, 4> wzxw, abra;
    constexpr vec<T, 4> __get_wzyx() const { return {w, z, y, x}; }
    constexpr vec<T, 4> __put_wzyx(vec<T, 4> v) { w = v.x; z = v.y; y = v.z; x = v.w; return v; }
    __declspec(property(get = __get_wzyx, put = __put_wzyx)) vec<T, 4> wzyx, abgr;
    constexpr vec<T, 4> __get_wzyy() const { return {w, z, y, y}; }
    __declspec(property(get = __get_wzyy)) vec<T, 4> wzyy, abgg;
    constexpr vec<T, 4> __get_wzyz() const { return {w, z, y, z}; }
    __declspec(property(get = __get_wzyz)) vec<T, 4> wzyz, abgb;
    constexpr vec<T, 4> __get_wzyw() const { return {w, z, y, w}; }
    __declspec(property(get = __get_wzyw)) vec<T, 4> wzyw, abga;
    constexpr vec<T, 4> __get_wzzx() const { return {w, z, z, x}; }
    __declspec(property(get = __get_wzzx)) vec<T, 4> wzzx, abbr;
    constexpr vec<T, 4> __get_wzzy() const { return {w, z, z, y}; }
    __declspec(property(get = __get_wzzy)) vec<T, 4> wzzy, abbg;
    constexpr vec<T, 4> __get_wzzz() const { return {w, z, z, z}; }
    __declspec(property(get = __get_wzzz)) vec<T, 4> wzzz, abbb;
    constexpr vec<T, 4> __get_wzzw() const { return {w, z, z, w}; }
    __declspec(property(get = __get_wzzw)) vec<T, 4> wzzw, abba;
    constexpr vec<T, 4> __get_wzwx() const { return {w, z, w, x}; }
    __declspec(property(get = __get_wzwx)) vec<T, 4> wzwx, abar;
    constexpr vec<T, 4> __get_wzwy() const { return {w, z, w, y}; }
    __declspec(property(get = __get_wzwy)) vec<T, 4> wzwy, abag;
    constexpr vec<T, 4> __get_wzwz() const { return {w, z, w, z}; }
    __declspec(property(get = __get_wzwz)) vec<T, 4> wzwz, abab;
    constexpr vec<T, 4> __get_wzww() const { return {w, z, w, w}; }
    __declspec(property(get = __get_wzww)) vec<T, 4> wzww, abaa;
    constexpr vec<T, 4> __get_wwxx() const { return {w, w, x, x}; }
    __declspec(property(get = __get_wwxx)) vec<T, 4> wwxx, aarr;
    constexpr vec<T, 4> __get_wwxy() const { return {w, w, x, y}; }
    __declspec(property(get = __get_wwxy)) vec<T, 4> wwxy, aarg;
    constexpr vec<T, 4> __get_wwxz() const { return {w, w, x, z}; }
    __declspec(property(get = __get_wwxz)) vec<T, 4> wwxz, aarb;
    constexpr vec<T, 4> __get_wwxw() const { return {w, w, x, w}; }
    __declspec(property(get = __get_wwxw)) vec<T, 4> wwxw, aara;
    constexpr vec<T, 4> __get_wwyx() const { return {w, w, y, x}; }
    __declspec(property(get = __get_wwyx)) vec<T, 4> wwyx, aagr;
    constexpr vec<T, 4> __get_wwyy() const { return {w, w, y, y}; }
    __declspec(property(get = __get_wwyy)) vec<T, 4> wwyy, aagg;
    constexpr vec<T, 4> __get_wwyz() const { return {w, w, y, z}; }
    __declspec(property(get = __get_wwyz)) vec<T, 4> wwyz, aagb;
    constexpr vec<T, 4> __get_wwyw() const { return {w, w, y, w}; }
    __declspec(property(get = __get_wwyw)) vec<T, 4> wwyw, aaga;
    constexpr vec<T, 4> __get_wwzx() const { return {w, w, z, x}; }
    __declspec(property(get = __get_wwzx)) vec<T, 4> wwzx, aabr;
    constexpr vec<T, 4> __get_wwzy() const { return {w, w, z, y}; }
    __declspec(property(get = __get_wwzy)) vec<T, 4> wwzy, aabg;
    constexpr vec<T, 4> __get_wwzz() const { return {w, w, z, z}; }
    __declspec(property(get = __get_wwzz)) vec<T, 4> wwzz, aabb;
    constexpr vec<T, 4> __get_wwzw() const { return {w, w, z, w}; }
    __declspec(property(get = __get_wwzw)) vec<T, 4> wwzw, aaba;
    constexpr vec<T, 4> __get_wwwx() const { return {w, w, w, x}; }
    __declspec(property(get = __get_wwwx)) vec<T, 4> wwwx, aaar;
    constexpr vec<T, 4> __get_wwwy() const { return {w, w, w, y}; }
    __declspec(property(get = __get_wwwy)) vec<T, 4> wwwy, aaag;
    constexpr vec<T, 4> __get_wwwz() const { return {w, w, w, z}; }
    __declspec(property(get = __get_wwwz)) vec<T, 4> wwwz, aaab;
    constexpr vec<T, 4> __get_wwww() const { return {w, w, w, w}; }
    __declspec(property(get = __get_wwww)) vec<T, 4> wwww, aaaa;
};
template <typename T>
struct __operators<T, 2, __integer_kind> : __operators<T, 2, __floating_kind> {
    friend constexpr vec<T, 2> operator%(vec<T, 2> a, vec<T, 2> b) { return {T(a.x % b.x), T(a.y % b.y)}; }
    friend constexpr vec<T, 2> operator&(vec<T, 2> a, vec<T, 2> b) { return {T(a.x & b.x), T(a.y & b.y)}; }
    friend constexpr vec<T, 2> operator|(vec<T, 2> a, vec<T, 2> b) { return {T(a.x | b.x), T(a.y | b.y)}; }
    friend constexpr vec<T, 2> operator^(vec<T, 2> a, vec<T, 2> b) { return {T(a.x ^ b.x), T(a.y ^ b.y)}; }
    friend constexpr vec<T, 2> operator<<(vec<T, 2> a, vec<T, 2> b) { return {T(a.x << b.x), T(a.y << b.y)}; }
    friend constexpr vec<T, 2> operator>>(vec<T, 2> a, vec<T, 2> b) { return {T(a.x >> b.x), T(a.y >> b.y)}; }
    friend constexpr vec<T, 2> operator~(vec<T, 2> a) { return {T(~a.x), T(~a.y)}; }
    constexpr vec<T, 2>& operator%=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x % b.x); self.y = T(self.y % b.y); return self;
    }
    constexpr vec<T, 2>& operator&=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x & b.x); self.y = T(self.y & b.y); return self;
    }
    constexpr vec<T, 2>& operator|=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x | b.x); self.y = T(self.y | b.y); return self;
    }
    constexpr vec<T, 2>& operator^=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x ^ b.x); self.y = T(self.y ^ b.y); return self;
    }
    constexpr vec<T, 2>& operator<<=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x << b.x); self.y = T(self.y << b.y); return self;
    }
    constexpr vec<T, 2>& operator>>=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x >> b.x); self.y = T(self.y >> b.y); return self;
    }
};
template <typename T>
struct __operators<T, 2, __bool_kind> : __components<T, 2> {
    friend constexpr vec<T, 2> operator&(vec<T, 2> a, vec<T, 2> b) { return {T(a.x & b.x), T(a.y & b.y)}; }
    friend constexpr vec<T, 2> operator|(vec<T, 2> a, vec<T, 2> b) { return {T(a.x | b.x), T(a.y | b.y)}; }
    friend constexpr vec<T, 2> operator^(vec<T, 2> a, vec<T, 2> b) { return {T(a.x ^ b.x), T(a.y ^ b.y)}; }
    friend constexpr vec<T, 2> operator&&(vec<T, 2> a, vec<T, 2> b) { return {T(a.x && b.x), T(a.y && b.y)}; }
    friend constexpr vec<T, 2> operator||(vec<T, 2> a, vec<T, 2> b) { return {T(a.x || b.x), T(a.y || b.y)}; }
    friend constexpr vec<T, 2> operator==(vec<T, 2> a, vec<T, 2> b) { return {T(a.x == b.x), T(a.y == b.y)}; }
    friend constexpr vec<T, 2> operator!=(vec<T, 2> a, vec<T, 2> b) { return {T(a.x != b.x), T(a.y != b.y)}; }
    constexpr vec<T, 2>& operator&=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x & b.x); self.y = T(self.y & b.y); return self;
    }
    constexpr vec<T, 2>& operator|=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x | b.x); self.y = T(self.y | b.y); return self;
    }
    constexpr vec<T, 2>& operator^=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x ^ b.x); self.y = T(self.y ^ b.y); return self;
    }
    friend constexpr vec<T, 2> operator!(vec<T, 2> a) { return {!a.x, !a.y}; }
};
template <typename T>
struct __operators<T, 2, __floating_kind> : __components<T, 2> {
    friend constexpr vec<T, 2> operator+(vec<T, 2> a, vec<T, 2> b) { return {T(a.x + b.x), T(a.y + b.y)}; }
    friend constexpr vec<T, 2> operator-(vec<T, 2> a, vec<T, 2> b) { return {T(a.x - b.x), T(a.y - b.y)}; }
    friend constexpr vec<T, 2> operator*(vec<T, 2> a, vec<T, 2> b) { return {T(a.x * b.x), T(a.y * b.y)}; }
    friend constexpr vec<T, 2> operator/(vec<T, 2> a, vec<T, 2> b) { return {T(a.x / b.x), T(a.y / b.y)}; }
    friend constexpr __bools<T, 2> operator==(vec<T, 2> a, vec<T, 2> b) { return {bool(a.x == b.x), bool(a.y == b.y)}; }
    friend constexpr __bools<T, 2> operator!=(vec<T, 2> a, vec<T, 2> b) { return {bool(a.x != b.x), bool(a.y != b.y)}; }
    friend constexpr __bools<T, 2> operator<(vec<T, 2> a, vec<T, 2> b) { return {bool(a.x < b.x), bool(a.y < b.y)}; }
    friend constexpr __bools<T, 2> operator>(vec<T, 2> a, vec<T, 2> b) { return {bool(a.x > b.x), bool(a.y > b.y)}; }
    friend constexpr __bools<T, 2> operator<=(vec<T, 2> a, vec<T, 2> b) { return {bool(a.x <= b.x), bool(a.y <= b.y)}; }
    friend constexpr __bools<T, 2> operator>=(vec<T, 2> a, vec<T, 2> b) { return {bool(a.x >= b.x), bool(a.y >= b.y)}; }
    constexpr vec<T, 2>& operator+=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x + b.x); self.y = T(self.y + b.y); return self;
    }
    constexpr vec<T, 2>& operator-=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x - b.x); self.y = T(self.y - b.y); return self;
    }
    constexpr vec<T, 2>& operator*=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x * b.x); self.y = T(self.y * b.y); return self;
    }
    constexpr vec<T, 2>& operator/=(vec<T, 2> b) {
        auto& self = static_cast<vec<T, 2>&>(*this); self.x = T(self.x / b.x); self.y = T(self.y / b.y); return self;
    }
    friend constexpr vec<T, 2> operator+(vec<T, 2> a) { return a; }
    friend constexpr vec<T, 2> operator-(vec<T, 2> a) { return {T(-a.x), T(-a.y)}; }
    constexpr vec<T, 2>& operator++() {
        auto& self = static_cast<vec<T, 2>&>(*this); ++self.x; ++self.y; return self;
    }
    constexpr vec<T, 2> operator++(int) {
        auto& self = static_cast<vec<T, 2>&>(*this); vec<T, 2> old = self; ++self.x; ++self.y; return old;
    }
    constexpr vec<T, 2>& operator--() {
        auto& self = static_cast<vec<T, 2>&>(*this); --self.x; --self.y; return self;
    }
    constexpr vec<T, 2> operator--(int) {
        auto& self = static_cast<vec<T, 2>&>(*this); vec<T, 2> old = self; --self.x; --self.y; return old;
    }
};
template <typename T>
struct alignas(2 * sizeof(T)) vec<T, 2> : __operators<T, 2> {
    vec() = default;
    template <typename S, __enable_if_t<__splats<S, T>, int> = 0>
    constexpr vec(S s) : vec(T(s), T(s)) {}
    template <typename S, __enable_if_t<!__splats<S, T> && __is_convertible(S, T), int> = 0>
    constexpr explicit vec(S s) : vec(T(s), T(s)) {}
    constexpr vec(T a, T b) : __operators<T, 2>{a, b} {}
    template <typename U>
    constexpr explicit vec(vec<U, 2> o) : vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y))) {}
    template <typename U>
    constexpr explicit vec(packed_vec<U, 2> o) : vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y))) {}
    constexpr T& operator[](int i) & __METAL_OBJECT_IN(thread) {
        if (__builtin_is_constant_evaluated()) return i == 0 ? this->x : this->y;
        return (&this->x)[i];
    }
    constexpr T operator[](int i) const& __METAL_OBJECT_IN(thread) { return i == 0 ? this->x : this->y; }
    constexpr T operator[](int i) && { return i == 0 ? this->x : this->y; }
    device T& operator[](int i) & __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    threadgroup T& operator[](int i) & __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    const device T& operator[](int i) const& __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    const threadgroup T& operator[](int i) const& __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    constant T& operator[](int i) const& __METAL_OBJECT_IN(constant) { return (&this->x)[i]; }
};
template <typename T>
struct __operators<T, 3, __integer_kind> : __operators<T, 3, __floating_kind> {
    friend constexpr vec<T, 3> operator%(vec<T, 3> a, vec<T, 3> b) { return {T(a.x % b.x), T(a.y % b.y), T(a.z % b.z)}; }
    friend constexpr vec<T, 3> operator&(vec<T, 3> a, vec<T, 3> b) { return {T(a.x & b.x), T(a.y & b.y), T(a.z & b.z)}; }
    friend constexpr vec<T, 3> operator|(vec<T, 3> a, vec<T, 3> b) { return {T(a.x | b.x), T(a.y | b.y), T(a.z | b.z)}; }
    friend constexpr vec<T, 3> operator^(vec<T, 3> a, vec<T, 3> b) { return {T(a.x ^ b.x), T(a.y ^ b.y), T(a.z ^ b.z)}; }
    friend constexpr vec<T, 3> operator<<(vec<T, 3> a, vec<T, 3> b) { return {T(a.x << b.x), T(a.y << b.y), T(a.z << b.z)}; }
    friend constexpr vec<T, 3> operator>>(vec<T, 3> a, vec<T, 3> b) { return {T(a.x >> b.x), T(a.y >> b.y), T(a.z >> b.z)}; }
    friend constexpr vec<T, 3> operator~(vec<T, 3> a) { return {T(~a.x), T(~a.y), T(~a.z)}; }
    constexpr vec<T, 3>& operator%=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x % b.x); self.y = T(self.y % b.y); self.z = T(self.z % b.z); return self;
    }
    constexpr vec<T, 3>& operator&=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x & b.x); self.y = T(self.y & b.y); self.z = T(self.z & b.z); return self;
    }
    constexpr vec<T, 3>& operator|=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x | b.x); self.y = T(self.y | b.y); self.z = T(self.z | b.z); return self;
    }
    constexpr vec<T, 3>& operator^=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x ^ b.x); self.y = T(self.y ^ b.y); self.z = T(self.z ^ b.z); return self;
    }
    constexpr vec<T, 3>& operator<<=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x << b.x); self.y = T(self.y << b.y); self.z = T(self.z << b.z); return self;
    }
    constexpr vec<T, 3>& operator>>=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x >> b.x); self.y = T(self.y >> b.y); self.z = T(self.z >> b.z); return self;
    }
};
template <typename T>
struct __operators<T, 3, __bool_kind> : __components<T, 3> {
    friend constexpr vec<T, 3> operator&(vec<T, 3> a, vec<T, 3> b) { return {T(a.x & b.x), T(a.y & b.y), T(a.z & b.z)}; }
    friend constexpr vec<T, 3> operator|(vec<T, 3> a, vec<T, 3> b) { return {T(a.x | b.x), T(a.y | b.y), T(a.z | b.z)}; }
    friend constexpr vec<T, 3> operator^(vec<T, 3> a, vec<T, 3> b) { return {T(a.x ^ b.x), T(a.y ^ b.y), T(a.z ^ b.z)}; }
    friend constexpr vec<T, 3> operator&&(vec<T, 3> a, vec<T, 3> b) { return {T(a.x && b.x), T(a.y && b.y), T(a.z && b.z)}; }
    friend constexpr vec<T, 3> operator||(vec<T, 3> a, vec<T, 3> b) { return {T(a.x || b.x), T(a.y || b.y), T(a.z || b.z)}; }
    friend constexpr vec<T, 3> operator==(vec<T, 3> a, vec<T, 3> b) { return {T(a.x == b.x), T(a.y == b.y), T(a.z == b.z)}; }
    friend constexpr vec<T, 3> operator!=(vec<T, 3> a, vec<T, 3> b) { return {T(a.x != b.x), T(a.y != b.y), T(a.z != b.z)}; }
    constexpr vec<T, 3>& operator&=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x & b.x); self.y = T(self.y & b.y); self.z = T(self.z & b.z); return self;
    }
    constexpr vec<T, 3>& operator|=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x | b.x); self.y = T(self.y | b.y); self.z = T(self.z | b.z); return self;
    }
    constexpr vec<T, 3>& operator^=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x ^ b.x); self.y = T(self.y ^ b.y); self.z = T(self.z ^ b.z); return self;
    }
    friend constexpr vec<T, 3> operator!(vec<T, 3> a) { return {!a.x, !a.y, !a.z}; }
};
template <typename T>
struct __operators<T, 3, __floating_kind> : __components<T, 3> {
    friend constexpr vec<T, 3> operator+(vec<T, 3> a, vec<T, 3> b) { return {T(a.x + b.x), T(a.y + b.y), T(a.z + b.z)}; }
    friend constexpr vec<T, 3> operator-(vec<T, 3> a, vec<T, 3> b) { return {T(a.x - b.x), T(a.y - b.y), T(a.z - b.z)}; }
    friend constexpr vec<T, 3> operator*(vec<T, 3> a, vec<T, 3> b) { return {T(a.x * b.x), T(a.y * b.y), T(a.z * b.z)}; }
    friend constexpr vec<T, 3> operator/(vec<T, 3> a, vec<T, 3> b) { return {T(a.x / b.x), T(a.y / b.y), T(a.z / b.z)}; }
    friend constexpr __bools<T, 3> operator==(vec<T, 3> a, vec<T, 3> b) { return {bool(a.x == b.x), bool(a.y == b.y), bool(a.z == b.z)}; }
    friend constexpr __bools<T, 3> operator!=(vec<T, 3> a, vec<T, 3> b) { return {bool(a.x != b.x), bool(a.y != b.y), bool(a.z != b.z)}; }
    friend constexpr __bools<T, 3> operator<(vec<T, 3> a, vec<T, 3> b) { return {bool(a.x < b.x), bool(a.y < b.y), bool(a.z < b.z)}; }
    friend constexpr __bools<T, 3> operator>(vec<T, 3> a, vec<T, 3> b) { return {bool(a.x > b.x), bool(a.y > b.y), bool(a.z > b.z)}; }
    friend constexpr __bools<T, 3> operator<=(vec<T, 3> a, vec<T, 3> b) { return {bool(a.x <= b.x), bool(a.y <= b.y), bool(a.z <= b.z)}; }
    friend constexpr __bools<T, 3> operator>=(vec<T, 3> a, vec<T, 3> b) { return {bool(a.x >= b.x), bool(a.y >= b.y), bool(a.z >= b.z)}; }
    constexpr vec<T, 3>& operator+=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x + b.x); self.y = T(self.y + b.y); self.z = T(self.z + b.z); return self;
    }
    constexpr vec<T, 3>& operator-=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x - b.x); self.y = T(self.y - b.y); self.z = T(self.z - b.z); return self;
    }
    constexpr vec<T, 3>& operator*=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x * b.x); self.y = T(self.y * b.y); self.z = T(self.z * b.z); return self;
    }
    constexpr vec<T, 3>& operator/=(vec<T, 3> b) {
        auto& self = static_cast<vec<T, 3>&>(*this); self.x = T(self.x / b.x); self.y = T(self.y / b.y); self.z = T(self.z / b.z); return self;
    }
    friend constexpr vec<T, 3> operator+(vec<T, 3> a) { return a; }
    friend constexpr vec<T, 3> operator-(vec<T, 3> a) { return {T(-a.x), T(-a.y), T(-a.z)}; }
    constexpr vec<T, 3>& operator++() {
        auto& self = static_cast<vec<T, 3>&>(*this); ++self.x; ++self.y; ++self.z; return self;
    }
    constexpr vec<T, 3> operator++(int) {
        auto& self = static_cast<vec<T, 3>&>(*this); vec<T, 3> old = self; ++self.x; ++self.y; ++self.z; return old;
    }
    constexpr vec<T, 3>& operator--() {
        auto& self = static_cast<vec<T, 3>&>(*this); --self.x; --self.y; --self.z; return self;
    }
    constexpr vec<T, 3> operator--(int) {
        auto& self = static_cast<vec<T, 3>&>(*this); vec<T, 3> old = self; --self.x; --self.y; --self.z; return old;
    }
};
template <typename T>
struct alignas(4 * sizeof(T)) vec<T, 3> : __operators<T, 3> {
    vec() = default;
    template <typename S, __enable_if_t<__splats<S, T>, int> = 0>
    constexpr vec(S s) : vec(T(s), T(s), T(s)) {}
    template <typename S, __enable_if_t<!__splats<S, T> && __is_convertible(S, T), int> = 0>
    constexpr explicit vec(S s) : vec(T(s), T(s), T(s)) {}
    constexpr vec(T a, T b, T c) : __operators<T, 3>{a, b, c} {}
    constexpr vec(T a, vec<T, 2> b) : vec(a, b.x, b.y) {}
    constexpr vec(vec<T, 2> a, T b) : vec(a.x, a.y, b) {}
    template <typename U>
    constexpr explicit vec(vec<U, 3> o) : vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y)), T((__metal_to<T>(), o.z))) {}
    template <typename U>
    constexpr explicit vec(packed_vec<U, 3> o) : vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y)), T((__metal_to<T>(), o.z))) {}
    constexpr T& operator[](int i) & __METAL_OBJECT_IN(thread) {
        if (__builtin_is_constant_evaluated()) return i == 0 ? this->x : i == 1 ? this->y : this->z;
        return (&this->x)[i];
    }
    constexpr T operator[](int i) const& __METAL_OBJECT_IN(thread) { return i == 0 ? this->x : i == 1 ? this->y : this->z; }
    constexpr T operator[](int i) && { return i == 0 ? this->x : i == 1 ? this->y : this->z; }
    device T& operator[](int i) & __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    threadgroup T& operator[](int i) & __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    const device T& operator[](int i) const& __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    const threadgroup T& operator[](int i) const& __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    constant T& operator[](int i) const& __METAL_OBJECT_IN(constant) { return (&this->x)[i]; }
};
template <typename T>
struct __operators<T, 4, __integer_kind> : __operators<T, 4, __floating_kind> {
    friend constexpr vec<T, 4> operator%(vec<T, 4> a, vec<T, 4> b) { return {T(a.x % b.x), T(a.y % b.y), T(a.z % b.z), T(a.w % b.w)}; }
    friend constexpr vec<T, 4> operator&(vec<T, 4> a, vec<T, 4> b) { return {T(a.x & b.x), T(a.y & b.y), T(a.z & b.z), T(a.w & b.w)}; }
    friend constexpr vec<T, 4> operator|(vec<T, 4> a, vec<T, 4> b) { return {T(a.x | b.x), T(a.y | b.y), T(a.z | b.z), T(a.w | b.w)}; }
    friend constexpr vec<T, 4> operator^(vec<T, 4> a, vec<T, 4> b) { return {T(a.x ^ b.x), T(a.y ^ b.y), T(a.z ^ b.z), T(a.w ^ b.w)}; }
    friend constexpr vec<T, 4> operator<<(vec<T, 4> a, vec<T, 4> b) { return {T(a.x << b.x), T(a.y << b.y), T(a.z << b.z), T(a.w << b.w)}; }
    friend constexpr vec<T, 4> operator>>(vec<T, 4> a, vec<T, 4> b) { return {T(a.x >> b.x), T(a.y >> b.y), T(a.z >> b.z), T(a.w >> b.w)}; }
    friend constexpr vec<T, 4> operator~(vec<T, 4> a) { return {T(~a.x), T(~a.y), T(~a.z), T(~a.w)}; }
    constexpr vec<T, 4>& operator%=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x % b.x); self.y = T(self.y % b.y); self.z = T(self.z % b.z); self.w = T(self.w % b.w); return self;
    }
    constexpr vec<T, 4>& operator&=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x & b.x); self.y = T(self.y & b.y); self.z = T(self.z & b.z); self.w = T(self.w & b.w); return self;
    }
    constexpr vec<T, 4>& operator|=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x | b.x); self.y = T(self.y | b.y); self.z = T(self.z | b.z); self.w = T(self.w | b.w); return self;
    }
    constexpr vec<T, 4>& operator^=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x ^ b.x); self.y = T(self.y ^ b.y); self.z = T(self.z ^ b.z); self.w = T(self.w ^ b.w); return self;
    }
    constexpr vec<T, 4>& operator<<=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x << b.x); self.y = T(self.y << b.y); self.z = T(self.z << b.z); self.w = T(self.w << b.w); return self;
    }
    constexpr vec<T, 4>& operator>>=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x >> b.x); self.y = T(self.y >> b.y); self.z = T(self.z >> b.z); self.w = T(self.w >> b.w); return self;
    }
};
template <typename T>
struct __operators<T, 4, __bool_kind> : __components<T, 4> {
    friend constexpr vec<T, 4> operator&(vec<T, 4> a, vec<T, 4> b) { return {T(a.x & b.x), T(a.y & b.y), T(a.z & b.z), T(a.w & b.w)}; }
    friend constexpr vec<T, 4> operator|(vec<T, 4> a, vec<T, 4> b) { return {T(a.x | b.x), T(a.y | b.y), T(a.z | b.z), T(a.w | b.w)}; }
    friend constexpr vec<T, 4> operator^(vec<T, 4> a, vec<T, 4> b) { return {T(a.x ^ b.x), T(a.y ^ b.y), T(a.z ^ b.z), T(a.w ^ b.w)}; }
    friend constexpr vec<T, 4> operator&&(vec<T, 4> a, vec<T, 4> b) { return {T(a.x && b.x), T(a.y && b.y), T(a.z && b.z), T(a.w && b.w)}; }
    friend constexpr vec<T, 4> operator||(vec<T, 4> a, vec<T, 4> b) { return {T(a.x || b.x), T(a.y || b.y), T(a.z || b.z), T(a.w || b.w)}; }
    friend constexpr vec<T, 4> operator==(vec<T, 4> a, vec<T, 4> b) { return {T(a.x == b.x), T(a.y == b.y), T(a.z == b.z), T(a.w == b.w)}; }
    friend constexpr vec<T, 4> operator!=(vec<T, 4> a, vec<T, 4> b) { return {T(a.x != b.x), T(a.y != b.y), T(a.z != b.z), T(a.w != b.w)}; }
    constexpr vec<T, 4>& operator&=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x & b.x); self.y = T(self.y & b.y); self.z = T(self.z & b.z); self.w = T(self.w & b.w); return self;
    }
    constexpr vec<T, 4>& operator|=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x | b.x); self.y = T(self.y | b.y); self.z = T(self.z | b.z); self.w = T(self.w | b.w); return self;
    }
    constexpr vec<T, 4>& operator^=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x ^ b.x); self.y = T(self.y ^ b.y); self.z = T(self.z ^ b.z); self.w = T(self.w ^ b.w); return self;
    }
    friend constexpr vec<T, 4> operator!(vec<T, 4> a) { return {!a.x, !a.y, !a.z, !a.w}; }
};
template <typename T>
struct __operators<T, 4, __floating_kind> : __components<T, 4> {
    friend constexpr vec<T, 4> operator+(vec<T, 4> a, vec<T, 4> b) { return {T(a.x + b.x), T(a.y + b.y), T(a.z + b.z), T(a.w + b.w)}; }
    friend constexpr vec<T, 4> operator-(vec<T, 4> a, vec<T, 4> b) { return {T(a.x - b.x), T(a.y - b.y), T(a.z - b.z), T(a.w - b.w)}; }
    friend constexpr vec<T, 4> operator*(vec<T, 4> a, vec<T, 4> b) { return {T(a.x * b.x), T(a.y * b.y), T(a.z * b.z), T(a.w * b.w)}; }
    friend constexpr vec<T, 4> operator/(vec<T, 4> a, vec<T, 4> b) { return {T(a.x / b.x), T(a.y / b.y), T(a.z / b.z), T(a.w / b.w)}; }
    friend constexpr __bools<T, 4> operator==(vec<T, 4> a, vec<T, 4> b) { return {bool(a.x == b.x), bool(a.y == b.y), bool(a.z == b.z), bool(a.w == b.w)}; }
    friend constexpr __bools<T, 4> operator!=(vec<T, 4> a, vec<T, 4> b) { return {bool(a.x != b.x), bool(a.y != b.y), bool(a.z != b.z), bool(a.w != b.w)}; }
    friend constexpr __bools<T, 4> operator<(vec<T, 4> a, vec<T, 4> b) { return {bool(a.x < b.x), bool(a.y < b.y), bool(a.z < b.z), bool(a.w < b.w)}; }
    friend constexpr __bools<T, 4> operator>(vec<T, 4> a, vec<T, 4> b) { return {bool(a.x > b.x), bool(a.y > b.y), bool(a.z > b.z), bool(a.w > b.w)}; }
    friend constexpr __bools<T, 4> operator<=(vec<T, 4> a, vec<T, 4> b) { return {bool(a.x <= b.x), bool(a.y <= b.y), bool(a.z <= b.z), bool(a.w <= b.w)}; }
    friend constexpr __bools<T, 4> operator>=(vec<T, 4> a, vec<T, 4> b) { return {bool(a.x >= b.x), bool(a.y >= b.y), bool(a.z >= b.z), bool(a.w >= b.w)}; }
    constexpr vec<T, 4>& operator+=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x + b.x); self.y = T(self.y + b.y); self.z = T(self.z + b.z); self.w = T(self.w + b.w); return self;
    }
    constexpr vec<T, 4>& operator-=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x - b.x); self.y = T(self.y - b.y); self.z = T(self.z - b.z); self.w = T(self.w - b.w); return self;
    }
    constexpr vec<T, 4>& operator*=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x * b.x); self.y = T(self.y * b.y); self.z = T(self.z * b.z); self.w = T(self.w * b.w); return self;
    }
    constexpr vec<T, 4>& operator/=(vec<T, 4> b) {
        auto& self = static_cast<vec<T, 4>&>(*this); self.x = T(self.x / b.x); self.y = T(self.y / b.y); self.z = T(self.z / b.z); self.w = T(self.w / b.w); return self;
    }
    friend constexpr vec<T, 4> operator+(vec<T, 4> a) { return a; }
    friend constexpr vec<T, 4> operator-(vec<T, 4> a) { return {T(-a.x), T(-a.y), T(-a.z), T(-a.w)}; }
    constexpr vec<T, 4>& operator++() {
        auto& self = static_cast<vec<T, 4>&>(*this); ++self.x; ++self.y; ++self.z; ++self.w; return self;
    }
    constexpr vec<T, 4> operator++(int) {
        auto& self = static_cast<vec<T, 4>&>(*this); vec<T, 4> old = self; ++self.x; ++self.y; ++self.z; ++self.w; return old;
    }
    constexpr vec<T, 4>& operator--() {
        auto& self = static_cast<vec<T, 4>&>(*this); --self.x; --self.y; --self.z; --self.w; return self;
    }
    constexpr vec<T, 4> operator--(int) {
        auto& self = static_cast<vec<T, 4>&>(*this); vec<T, 4> old = self; --self.x; --self.y; --self.z; --self.w; return old;
    }
};
template <typename T>
struct alignas(4 * sizeof(T)) vec<T, 4> : __operators<T, 4> {
    vec() = default;
    template <typename S, __enable_if_t<__splats<S, T>, int> = 0>
    constexpr vec(S s) : vec(T(s), T(s), T(s), T(s)) {}
    template <typename S, __enable_if_t<!__splats<S, T> && __is_convertible(S, T), int> = 0>
    constexpr explicit vec(S s) : vec(T(s), T(s), T(s), T(s)) {}
    constexpr vec(T a, T b, T c, T d) : __operators<T, 4>{a, b, c, d} {}
    constexpr vec(T a, T b, vec<T, 2> c) : vec(a, b, c.x, c.y) {}
    constexpr vec(T a, vec<T, 2> b, T c) : vec(a, b.x, b.y, c) {}
    constexpr vec(T a, vec<T, 3> b) : vec(a, b.x, b.y, b.z) {}
    constexpr vec(vec<T, 2> a, T b, T c) : vec(a.x, a.y, b, c) {}
    constexpr vec(vec<T, 2> a, vec<T, 2> b) : vec(a.x, a.y, b.x, b.y) {}
    constexpr vec(vec<T, 3> a, T b) : vec(a.x, a.y, a.z, b) {}
    template <typename U>
    constexpr explicit vec(vec<U, 4> o) : vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y)), T((__metal_to<T>(), o.z)), T((__metal_to<T>(), o.w))) {}
    template <typename U>
    constexpr explicit vec(packed_vec<U, 4> o) : vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y)), T((__metal_to<T>(), o.z)), T((__metal_to<T>(), o.w))) {}
    constexpr T& operator[](int i) & __METAL_OBJECT_IN(thread) {
        if (__builtin_is_constant_evaluated()) return i == 0 ? this->x : i == 1 ? this->y : i == 2 ? this->z : this->w;
        return (&this->x)[i];
    }
    constexpr T operator[](int i) const& __METAL_OBJECT_IN(thread) { return i == 0 ? this->x : i == 1 ? this->y : i == 2 ? this->z : this->w; }
    constexpr T operator[](int i) && { return i == 0 ? this->x : i == 1 ? this->y : i == 2 ? this->z : this->w; }
    device T& operator[](int i) & __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    threadgroup T& operator[](int i) & __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    const device T& operator[](int i) const& __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    const threadgroup T& operator[](int i) const& __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    constant T& operator[](int i) const& __METAL_OBJECT_IN(constant) { return (&this->x)[i]; }
};
template <typename T>
struct packed_vec<T, 2> : __components<T, 2> {
    packed_vec() = default;
    template <typename S, __enable_if_t<__splats<S, T>, int> = 0>
    constexpr packed_vec(S s) : packed_vec(T(s), T(s)) {}
    template <typename S, __enable_if_t<!__splats<S, T> && __is_convertible(S, T), int> = 0>
    constexpr explicit packed_vec(S s) : packed_vec(T(s), T(s)) {}
    constexpr packed_vec(T a, T b) : __components<T, 2>{a, b} {}
    constexpr packed_vec(vec<T, 2> o) : packed_vec(o.x, o.y) {}
    template <typename U>
    constexpr explicit packed_vec(vec<U, 2> o) : packed_vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y))) {}
    template <typename U>
    constexpr explicit packed_vec(packed_vec<U, 2> o) : packed_vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y))) {}
    constexpr operator vec<T, 2>() const { return {this->x, this->y}; }
    constexpr T& operator[](int i) & __METAL_OBJECT_IN(thread) {
        if (__builtin_is_constant_evaluated()) return i == 0 ? this->x : this->y;
        return (&this->x)[i];
    }
    constexpr T operator[](int i) const& __METAL_OBJECT_IN(thread) { return i == 0 ? this->x : this->y; }
    constexpr T operator[](int i) && { return i == 0 ? this->x : this->y; }
    device T& operator[](int i) & __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    threadgroup T& operator[](int i) & __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    const device T& operator[](int i) const& __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    const threadgroup T& operator[](int i) const& __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    constant T& operator[](int i) const& __METAL_OBJECT_IN(constant) { return (&this->x)[i]; }
    constexpr packed_vec<T, 2>& operator+=(vec<T, 2> b) { return *this = vec<T, 2>(*this) + b; }
    constexpr packed_vec<T, 2>& operator-=(vec<T, 2> b) { return *this = vec<T, 2>(*this) - b; }
    constexpr packed_vec<T, 2>& operator*=(vec<T, 2> b) { return *this = vec<T, 2>(*this) * b; }
    constexpr packed_vec<T, 2>& operator/=(vec<T, 2> b) { return *this = vec<T, 2>(*this) / b; }
    constexpr packed_vec<T, 2>& operator%=(vec<T, 2> b) { return *this = vec<T, 2>(*this) % b; }
    constexpr packed_vec<T, 2>& operator&=(vec<T, 2> b) { return *this = vec<T, 2>(*this) & b; }
    constexpr packed_vec<T, 2>& operator|=(vec<T, 2> b) { return *this = vec<T, 2>(*this) | b; }
    constexpr packed_vec<T, 2>& operator^=(vec<T, 2> b) { return *this = vec<T, 2>(*this) ^ b; }
    constexpr packed_vec<T, 2>& operator<<=(vec<T, 2> b) { return *this = vec<T, 2>(*this) << b; }
    constexpr packed_vec<T, 2>& operator>>=(vec<T, 2> b) { return *this = vec<T, 2>(*this) >> b; }
};
template <typename T>
struct packed_vec<T, 3> : __components<T, 3> {
    packed_vec() = default;
    template <typename S, __enable_if_t<__splats<S, T>, int> = 0>
    constexpr packed_vec(S s) : packed_vec(T(s), T(s), T(s)) {}
    template <typename S, __enable_if_t<!__splats<S, T> && __is_convertible(S, T), int> = 0>
    constexpr explicit packed_vec(S s) : packed_vec(T(s), T(s), T(s)) {}
    constexpr packed_vec(T a, T b, T c) : __components<T, 3>{a, b, c} {}
    constexpr packed_vec(T a, vec<T, 2> b) : packed_vec(a, b.x, b.y) {}
    constexpr packed_vec(vec<T, 2> a, T b) : packed_vec(a.x, a.y, b) {}
    constexpr packed_vec(vec<T, 3> o) : packed_vec(o.x, o.y, o.z) {}
    template <typename U>
    constexpr explicit packed_vec(vec<U, 3> o) : packed_vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y)), T((__metal_to<T>(), o.z))) {}
    template <typename U>
    constexpr explicit packed_vec(packed_vec<U, 3> o) : packed_vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y)), T((__metal_to<T>(), o.z))) {}
    constexpr operator vec<T, 3>() const { return {this->x, this->y, this->z}; }
    constexpr T& operator[](int i) & __METAL_OBJECT_IN(thread) {
        if (__builtin_is_constant_evaluated()) return i == 0 ? this->x : i == 1 ? this->y : this->z;
        return (&this->x)[i];
    }
    constexpr T operator[](int i) const& __METAL_OBJECT_IN(thread) { return i == 0 ? this->x : i == 1 ? this->y : this->z; }
    constexpr T operator[](int i) && { return i == 0 ? this->x : i == 1 ? this->y : this->z; }
    device T& operator[](int i) & __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    threadgroup T& operator[](int i) & __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    const device T& operator[](int i) const& __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    const threadgroup T& operator[](int i) const& __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    constant T& operator[](int i) const& __METAL_OBJECT_IN(constant) { return (&this->x)[i]; }
    constexpr packed_vec<T, 3>& operator+=(vec<T, 3> b) { return *this = vec<T, 3>(*this) + b; }
    constexpr packed_vec<T, 3>& operator-=(vec<T, 3> b) { return *this = vec<T, 3>(*this) - b; }
    constexpr packed_vec<T, 3>& operator*=(vec<T, 3> b) { return *this = vec<T, 3>(*this) * b; }
    constexpr packed_vec<T, 3>& operator/=(vec<T, 3> b) { return *this = vec<T, 3>(*this) / b; }
    constexpr packed_vec<T, 3>& operator%=(vec<T, 3> b) { return *this = vec<T, 3>(*this) % b; }
    constexpr packed_vec<T, 3>& operator&=(vec<T, 3> b) { return *this = vec<T, 3>(*this) & b; }
    constexpr packed_vec<T, 3>& operator|=(vec<T, 3> b) { return *this = vec<T, 3>(*this) | b; }
    constexpr packed_vec<T, 3>& operator^=(vec<T, 3> b) { return *this = vec<T, 3>(*this) ^ b; }
    constexpr packed_vec<T, 3>& operator<<=(vec<T, 3> b) { return *this = vec<T, 3>(*this) << b; }
    constexpr packed_vec<T, 3>& operator>>=(vec<T, 3> b) { return *this = vec<T, 3>(*this) >> b; }
};
template <typename T>
struct packed_vec<T, 4> : __components<T, 4> {
    packed_vec() = default;
    template <typename S, __enable_if_t<__splats<S, T>, int> = 0>
    constexpr packed_vec(S s) : packed_vec(T(s), T(s), T(s), T(s)) {}
    template <typename S, __enable_if_t<!__splats<S, T> && __is_convertible(S, T), int> = 0>
    constexpr explicit packed_vec(S s) : packed_vec(T(s), T(s), T(s), T(s)) {}
    constexpr packed_vec(T a, T b, T c, T d) : __components<T, 4>{a, b, c, d} {}
    constexpr packed_vec(T a, T b, vec<T, 2> c) : packed_vec(a, b, c.x, c.y) {}
    constexpr packed_vec(T a, vec<T, 2> b, T c) : packed_vec(a, b.x, b.y, c) {}
    constexpr packed_vec(T a, vec<T, 3> b) : packed_vec(a, b.x, b.y, b.z) {}
    constexpr packed_vec(vec<T, 2> a, T b, T c) : packed_vec(a.x, a.y, b, c) {}
    constexpr packed_vec(vec<T, 2> a, vec<T, 2> b) : packed_vec(a.x, a.y, b.x, b.y) {}
    constexpr packed_vec(vec<T, 3> a, T b) : packed_vec(a.x, a.y, a.z, b) {}
    constexpr packed_vec(vec<T, 4> o) : packed_vec(o.x, o.y, o.z, o.w) {}
    template <typename U>
    constexpr explicit packed_vec(vec<U, 4> o) : packed_vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y)), T((__metal_to<T>(), o.z)), T((__metal_to<T>(), o.w))) {}
    template <typename U>
    constexpr explicit packed_vec(packed_vec<U, 4> o) : packed_vec(T((__metal_to<T>(), o.x)), T((__metal_to<T>(), o.y)), T((__metal_to<T>(), o.z)), T((__metal_to<T>(), o.w))) {}
    constexpr operator vec<T, 4>() const { return {this->x, this->y, this->z, this->w}; }
    constexpr T& operator[](int i) & __METAL_OBJECT_IN(thread) {
        if (__builtin_is_constant_evaluated()) return i == 0 ? this->x : i == 1 ? this->y : i == 2 ? this->z : this->w;
        return (&this->x)[i];
    }
    constexpr T operator[](int i) const& __METAL_OBJECT_IN(thread) { return i == 0 ? this->x : i == 1 ? this->y : i == 2 ? this->z : this->w; }
    constexpr T operator[](int i) && { return i == 0 ? this->x : i == 1 ? this->y : i == 2 ? this->z : this->w; }
    device T& operator[](int i) & __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    threadgroup T& operator[](int i) & __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    const device T& operator[](int i) const& __METAL_OBJECT_IN(device) { return (&this->x)[i]; }
    const threadgroup T& operator[](int i) const& __METAL_OBJECT_IN(threadgroup) { return (&this->x)[i]; }
    constant T& operator[](int i) const& __METAL_OBJECT_IN(constant) { return (&this->x)[i]; }
    constexpr packed_vec<T, 4>& operator+=(vec<T, 4> b) { return *this = vec<T, 4>(*this) + b; }
    constexpr packed_vec<T, 4>& operator-=(vec<T, 4> b) { return *this = vec<T, 4>(*this) - b; }
    constexpr packed_vec<T, 4>& operator*=(vec<T, 4> b) { return *this = vec<T, 4>(*this) * b; }
    constexpr packed_vec<T, 4>& operator/=(vec<T, 4> b) { return *this = vec<T, 4>(*this) / b; }
    constexpr packed_vec<T, 4>& operator%=(vec<T, 4> b) { return *this = vec<T, 4>(*this) % b; }
    constexpr packed_vec<T, 4>& operator&=(vec<T, 4> b) { return *this = vec<T, 4>(*this) & b; }
    constexpr packed_vec<T, 4>& operator|=(vec<T, 4> b) { return *this = vec<T, 4>(*this) | b; }
    constexpr packed_vec<T, 4>& operator^=(vec<T, 4> b) { return *this = vec<T, 4>(*this) ^ b; }
    constexpr packed_vec<T, 4>& operator<<=(vec<T, 4> b) { return *this = vec<T, 4>(*this) << b; }
    constexpr packed_vec<T, 4>& operator>>=(vec<T, 4> b) { return *this = vec<T, 4>(*this) >> b; }
};
template <typename T, int N>
constexpr vec<T, N> operator+(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) + vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator+(packed_vec<T, N> a, S b) { return vec<T, N>(a) + b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator+(S a, packed_vec<T, N> b) { return a + vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator-(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) - vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator-(packed_vec<T, N> a, S b) { return vec<T, N>(a) - b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator-(S a, packed_vec<T, N> b) { return a - vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator*(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) * vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator*(packed_vec<T, N> a, S b) { return vec<T, N>(a) * b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator*(S a, packed_vec<T, N> b) { return a * vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator/(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) / vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator/(packed_vec<T, N> a, S b) { return vec<T, N>(a) / b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator/(S a, packed_vec<T, N> b) { return a / vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator%(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) % vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator%(packed_vec<T, N> a, S b) { return vec<T, N>(a) % b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator%(S a, packed_vec<T, N> b) { return a % vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator&(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) & vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator&(packed_vec<T, N> a, S b) { return vec<T, N>(a) & b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator&(S a, packed_vec<T, N> b) { return a & vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator|(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) | vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator|(packed_vec<T, N> a, S b) { return vec<T, N>(a) | b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator|(S a, packed_vec<T, N> b) { return a | vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator^(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) ^ vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator^(packed_vec<T, N> a, S b) { return vec<T, N>(a) ^ b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator^(S a, packed_vec<T, N> b) { return a ^ vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator<<(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) << vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator<<(packed_vec<T, N> a, S b) { return vec<T, N>(a) << b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator<<(S a, packed_vec<T, N> b) { return a << vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator>>(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) >> vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator>>(packed_vec<T, N> a, S b) { return vec<T, N>(a) >> b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<T, N> operator>>(S a, packed_vec<T, N> b) { return a >> vec<T, N>(b); }
template <typename T, int N>
constexpr vec<bool, N> operator==(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) == vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator==(packed_vec<T, N> a, S b) { return vec<T, N>(a) == b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator==(S a, packed_vec<T, N> b) { return a == vec<T, N>(b); }
template <typename T, int N>
constexpr vec<bool, N> operator!=(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) != vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator!=(packed_vec<T, N> a, S b) { return vec<T, N>(a) != b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator!=(S a, packed_vec<T, N> b) { return a != vec<T, N>(b); }
template <typename T, int N>
constexpr vec<bool, N> operator<(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) < vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator<(packed_vec<T, N> a, S b) { return vec<T, N>(a) < b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator<(S a, packed_vec<T, N> b) { return a < vec<T, N>(b); }
template <typename T, int N>
constexpr vec<bool, N> operator>(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) > vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator>(packed_vec<T, N> a, S b) { return vec<T, N>(a) > b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator>(S a, packed_vec<T, N> b) { return a > vec<T, N>(b); }
template <typename T, int N>
constexpr vec<bool, N> operator<=(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) <= vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator<=(packed_vec<T, N> a, S b) { return vec<T, N>(a) <= b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator<=(S a, packed_vec<T, N> b) { return a <= vec<T, N>(b); }
template <typename T, int N>
constexpr vec<bool, N> operator>=(packed_vec<T, N> a, packed_vec<T, N> b) { return vec<T, N>(a) >= vec<T, N>(b); }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator>=(packed_vec<T, N> a, S b) { return vec<T, N>(a) >= b; }
template <typename T, int N, typename S, typename = __enable_if_t<__splats<S, T>>>
constexpr vec<bool, N> operator>=(S a, packed_vec<T, N> b) { return a >= vec<T, N>(b); }
template <typename T, int N>
constexpr vec<T, N> operator-(packed_vec<T, N> a) { return -vec<T, N>(a); }
