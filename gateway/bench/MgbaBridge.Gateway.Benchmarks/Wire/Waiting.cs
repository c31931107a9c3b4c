namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>How a client in one thread waits for its answer.</summary>
internal enum Waiting
{
    /// <summary>In the kernel, until it is woken.</summary>
    Sleeping,

    /// <summary>By asking again and again, for a while, before it sleeps: what a client does that has a core to itself.</summary>
    Looking,
}
