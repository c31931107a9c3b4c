using System.Runtime.Intrinsics;

namespace MgbaBridge.Gateway.Search;

/// <summary>Compares many numbers at once, or one. Implemented by structs and used through constraints, so that each pair of number and test becomes
/// machine code of its own.</summary>
/// <typeparam name="T">The number's type.</typeparam>
internal interface ILanes<T>
    where T : unmanaged
{
    /// <summary>All bits of a lane are set where the test is passed.</summary>
    Vector256<T> Test(Vector256<T> now, Vector256<T> earlier);

    /// <summary>Whether one passes.</summary>
    bool Test(T now, T earlier);
}
