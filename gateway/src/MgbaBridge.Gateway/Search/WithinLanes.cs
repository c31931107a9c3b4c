using System.Numerics;
using System.Runtime.Intrinsics;

namespace MgbaBridge.Gateway.Search;

/// <summary>Whether a number lies in an interval.</summary>
internal readonly struct WithinLanes<T>(T low, T span) : ILanes<T>
    where T : unmanaged, IBinaryInteger<T>, IUnsignedNumber<T>
{
    private readonly Vector256<T> _low = Vector256.Create(low);
    private readonly Vector256<T> _span = Vector256.Create(span);

    public Vector256<T> Test(Vector256<T> now, Vector256<T> earlier) => Vector256.LessThanOrEqual(now - _low, _span);

    public bool Test(T now, T earlier) => now - low <= span;
}
