using System.Numerics;
using System.Runtime.Intrinsics;

namespace MgbaBridge.Gateway.Search;

/// <summary>Whether a number is less than the earlier one.</summary>
internal readonly struct LessLanes<T> : ILanes<T>
    where T : unmanaged, IBinaryInteger<T>
{
    public Vector256<T> Test(Vector256<T> now, Vector256<T> earlier) => Vector256.LessThan(now, earlier);

    public bool Test(T now, T earlier) => now < earlier;
}
