namespace MgbaBridge.Gateway.Benchmarks.Lockstep;

/// <summary>Holds the lease and steps the game over one transport.</summary>
internal interface IStepper : IAsyncDisposable
{
    string Name { get; }

    WaitMode WaitMode { get; }

    /// <summary>Takes the lease.</summary>
    Task TakeAsync();

    /// <summary>Runs one frame and returns the game's frame counter.</summary>
    Task<uint> StepAsync();
}
