using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace MgbaBridge.Engines.Search;

/// <summary>Compares many numbers at once, or one. Implemented by structs and used through constraints, so that each pair of number and test becomes
/// machine code of its own.</summary>
/// <typeparam name="T">The number's type.</typeparam>
internal interface IVectorKernel<T>
    where T : unmanaged
{
    /// <summary>All bits of a lane are set where the test is passed.</summary>
    Vector256<T> Test(Vector256<T> now, Vector256<T> earlier);

    /// <summary>Whether one passes.</summary>
    bool Test(T now, T earlier);
}

/// <summary>Whether a number is less than the earlier one.</summary>
internal readonly struct LessKernel<T> : IVectorKernel<T>
    where T : unmanaged, IBinaryInteger<T>
{
    public Vector256<T> Test(Vector256<T> now, Vector256<T> earlier) => Vector256.LessThan(now, earlier);

    public bool Test(T now, T earlier) => now < earlier;
}

/// <summary>Whether a number is greater than the earlier one.</summary>
internal readonly struct GreaterKernel<T> : IVectorKernel<T>
    where T : unmanaged, IBinaryInteger<T>
{
    public Vector256<T> Test(Vector256<T> now, Vector256<T> earlier) => Vector256.GreaterThan(now, earlier);

    public bool Test(T now, T earlier) => now > earlier;
}

/// <summary>Whether a number is in an interval.</summary>
internal readonly struct WithinKernel<T>(T low, T span) : IVectorKernel<T>
    where T : unmanaged, IBinaryInteger<T>, IUnsignedNumber<T>
{
    private readonly Vector256<T> _low = Vector256.Create(low);
    private readonly Vector256<T> _span = Vector256.Create(span);

    public Vector256<T> Test(Vector256<T> now, Vector256<T> earlier) => Vector256.LessThanOrEqual(now - _low, _span);

    public bool Test(T now, T earlier) => now - low <= span;
}

/// <summary>Whether the difference from the earlier number is in an interval.</summary>
internal readonly struct DifferenceKernel<T>(T low, T span) : IVectorKernel<T>
    where T : unmanaged, IBinaryInteger<T>, IUnsignedNumber<T>
{
    private readonly Vector256<T> _low = Vector256.Create(low);
    private readonly Vector256<T> _span = Vector256.Create(span);

    public Vector256<T> Test(Vector256<T> now, Vector256<T> earlier) => Vector256.LessThanOrEqual(now - earlier - _low, _span);

    public bool Test(T now, T earlier) => now - earlier - low <= span;
}

/// <summary>Whether a number is so much more or less than the earlier one.</summary>
internal readonly struct ApartKernel<T>(T by) : IVectorKernel<T>
    where T : unmanaged, IBinaryInteger<T>, IUnsignedNumber<T>
{
    private readonly Vector256<T> _more = Vector256.Create(by);
    private readonly Vector256<T> _less = Vector256.Create(T.Zero - by);

    public Vector256<T> Test(Vector256<T> now, Vector256<T> earlier) => Vector256.Equals(now - earlier, _more) | Vector256.Equals(now - earlier, _less);

    public bool Test(T now, T earlier) => now - earlier == by || earlier - now == by;
}

/// <summary>Turns the bytes of each number around before it is tested.</summary>
internal readonly struct BigEndianKernel<T, TKernel>(TKernel lanes) : IVectorKernel<T>
    where T : unmanaged, IBinaryInteger<T>
    where TKernel : struct, IVectorKernel<T>
{
    public Vector256<T> Test(Vector256<T> now, Vector256<T> earlier) => lanes.Test(Turned(now), Turned(earlier));

    public bool Test(T now, T earlier) => lanes.Test(Turned(now), Turned(earlier));

    private static Vector256<T> Turned(Vector256<T> numbers) => Unsafe.SizeOf<T>() switch
    {
        sizeof(ushort) => Vector256.Shuffle(numbers.AsByte(), Vector256.Create(
            (byte)1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 17, 16, 19, 18, 21, 20, 23, 22, 25, 24, 27, 26, 29, 28, 31, 30)).As<byte, T>(),
        sizeof(uint) => Vector256.Shuffle(numbers.AsByte(), Vector256.Create(
            (byte)3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28)).As<byte, T>(),
        _ => numbers,
    };

    private static T Turned(T number) => Unsafe.SizeOf<T>() switch
    {
        sizeof(ushort) => Unsafe.BitCast<ushort, T>(BinaryPrimitives.ReverseEndianness(Unsafe.BitCast<T, ushort>(number))),
        sizeof(uint) => Unsafe.BitCast<uint, T>(BinaryPrimitives.ReverseEndianness(Unsafe.BitCast<T, uint>(number))),
        _ => number,
    };
}
