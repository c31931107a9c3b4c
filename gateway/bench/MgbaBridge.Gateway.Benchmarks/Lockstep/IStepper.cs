using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Lockstep;

/// <summary>A way to hold the lease and step the game.</summary>
internal interface IStepper : IAsyncDisposable
{
    string Name { get; }

    Waiting Waiting { get; }

    /// <summary>Takes the lease.</summary>
    Task TakeAsync();

    /// <summary>Runs one frame and reads the game's own count of frames in it.</summary>
    Task<uint> StepAsync();
}
