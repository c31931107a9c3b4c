using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Search;

/// <summary>Strikes candidates that do not pass a test: a bit each, 64 of them at a time, compared by vectors.</summary>
internal static class CandidateFilter
{
    private const int WordBits = 64;

    /// <summary>Candidate <c>i</c> is the number that starts at byte <c>i * width</c> of <paramref name="now"/>.</summary>
    public static void Apply(in SearchValueType form, in VectorTest test, ReadOnlySpan<byte> now, ReadOnlySpan<byte> earlier, Span<ulong> candidates)
    {
        switch (form.Type)
        {
            case NumberType.U8: Choose<byte, byte>(form.Endian, test, now, earlier, candidates); break;
            case NumberType.S8: Choose<byte, sbyte>(form.Endian, test, now, earlier, candidates); break;
            case NumberType.U16: Choose<ushort, ushort>(form.Endian, test, now, earlier, candidates); break;
            case NumberType.S16: Choose<ushort, short>(form.Endian, test, now, earlier, candidates); break;
            case NumberType.U32: Choose<uint, uint>(form.Endian, test, now, earlier, candidates); break;
            default: Choose<uint, int>(form.Endian, test, now, earlier, candidates); break;
        }
    }

    // intervals compare bits; only less and greater depend on the sign
    private static void Choose<TBits, TNumber>(Endian endian, in VectorTest test, ReadOnlySpan<byte> now, ReadOnlySpan<byte> earlier, Span<ulong> candidates)
        where TBits : unmanaged, IBinaryInteger<TBits>, IUnsignedNumber<TBits>
        where TNumber : unmanaged, IBinaryInteger<TNumber>
    {
        var (low, span) = (TBits.CreateTruncating(test.Low), TBits.CreateTruncating(test.Span));
        switch (test.Kind)
        {
            case ElementKind.Within when test.Against == SearchAgainst.Value: Turn<TBits, WithinKernel<TBits>>(endian, new(low, span), test.Negated, now, earlier, candidates); break;
            case ElementKind.Within: Turn<TBits, DifferenceKernel<TBits>>(endian, new(low, span), test.Negated, now, earlier, candidates); break;
            case ElementKind.Apart: Turn<TBits, ApartKernel<TBits>>(endian, new(low), test.Negated, now, earlier, candidates); break;
            case ElementKind.Less: Turn<TNumber, LessKernel<TNumber>>(endian, default, test.Negated, now, earlier, candidates); break;
            default: Turn<TNumber, GreaterKernel<TNumber>>(endian, default, test.Negated, now, earlier, candidates); break;
        }
    }

    private static void Turn<T, TKernel>(Endian endian, TKernel lanes, bool negated, ReadOnlySpan<byte> now, ReadOnlySpan<byte> earlier, Span<ulong> candidates)
        where T : unmanaged, IBinaryInteger<T>
        where TKernel : struct, IVectorKernel<T>
    {
        var numbers = MemoryMarshal.Cast<byte, T>(now);
        var before = MemoryMarshal.Cast<byte, T>(earlier);
        if (endian == Endian.Big && Unsafe.SizeOf<T>() > 1)
        {
            Strike(numbers, before, new BigEndianKernel<T, TKernel>(lanes), negated, candidates);
        }
        else
        {
            Strike(numbers, before, lanes, negated, candidates);
        }
    }

    private static void Strike<T, TKernel>(ReadOnlySpan<T> now, ReadOnlySpan<T> earlier, TKernel lanes, bool negated, Span<ulong> candidates)
        where T : unmanaged, IBinaryInteger<T>
        where TKernel : struct, IVectorKernel<T>
    {
        var flip = negated ? ulong.MaxValue : 0;
        for (var word = 0; word < candidates.Length; word++)
        {
            // most words are empty after a few passes
            if (candidates[word] == 0)
            {
                continue;
            }

            var start = word * WordBits;
            var passed = start + WordBits <= now.Length
                ? Whole(ref Unsafe.Add(ref MemoryMarshal.GetReference(now), start), ref Unsafe.Add(ref MemoryMarshal.GetReference(earlier), start), lanes)
                : Part(now[start..], earlier[start..], lanes);
            candidates[word] &= passed ^ flip;
        }
    }

    private static ulong Whole<T, TKernel>(ref T now, ref T earlier, TKernel lanes)
        where T : unmanaged, IBinaryInteger<T>
        where TKernel : struct, IVectorKernel<T>
    {
        var passed = 0UL;
        for (var at = 0; at < WordBits; at += Vector256<T>.Count)
        {
            var lane = lanes.Test(Vector256.LoadUnsafe(ref now, (nuint)at), Vector256.LoadUnsafe(ref earlier, (nuint)at));
            passed |= (ulong)lane.ExtractMostSignificantBits() << at;
        }

        return passed;
    }

    private static ulong Part<T, TKernel>(ReadOnlySpan<T> now, ReadOnlySpan<T> earlier, TKernel lanes)
        where T : unmanaged, IBinaryInteger<T>
        where TKernel : struct, IVectorKernel<T>
    {
        var passed = 0UL;
        for (var at = 0; at < now.Length; at++)
        {
            passed |= lanes.Test(now[at], earlier[at]) ? 1UL << at : 0;
        }

        return passed;
    }
}
