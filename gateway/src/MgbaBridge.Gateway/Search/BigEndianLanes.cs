using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace MgbaBridge.Gateway.Search;

/// <summary>Turns the bytes of each number around before it is tested.</summary>
internal readonly struct BigEndianLanes<T, TLanes>(TLanes lanes) : ILanes<T>
    where T : unmanaged, IBinaryInteger<T>
    where TLanes : struct, ILanes<T>
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
