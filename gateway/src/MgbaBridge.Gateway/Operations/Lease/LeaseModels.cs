using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Lease;

/// <summary>A lease.</summary>
/// <param name="Frame">The frame at which the game is stopped, unless a step is running.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Holder">Whose it is: say this in the header `Mgba-Holder` of everything else.</param>
/// <param name="Token">Lets the holder resume the lease through another gateway, or after a restart of this one.</param>
/// <param name="LimitMs">How many milliseconds the holder may say nothing before the lease ends.</param>
/// <param name="Running">The remaining frames of a step: it ends at `frame` + `running`.</param>
public readonly record struct LeaseAnswer(
    long Frame, Epoch Epoch, string Holder, string Token, long LimitMs, long Running)
{
    internal static LeaseAnswer Of(Reply reply, string holder)
    {
        var (token, limit, running, _) = TakeLease.Parse(reply);
        return new LeaseAnswer(reply.Frame, reply.Epoch, holder, token, limit, running);
    }
}

/// <summary>Frames to run.</summary>
/// <param name="Frames">The exact number of frames.</param>
/// <param name="Keys">The keys that are down from now on; null for those of the step before.</param>
/// <param name="From">The expected current frame, or null.</param>
/// <param name="Batch">What to do on the frame that was reached, or null.</param>
public sealed record StepRequest(long Frames, KeySet? Keys, long? From, BatchRequest? Batch)
{
    internal static readonly TimeSpan PerFrame = TimeSpan.FromMilliseconds(100);
    internal static readonly TimeSpan AtLeast = TimeSpan.FromSeconds(5);

    /// <summary>What the script runs.</summary>
    internal StepLease Command => new(Frames, Keys, Batch is { Items.Results.Count: > 0 } batch ? batch.Items : null, From);

    /// <summary>How long so many frames may take.</summary>
    internal static TimeSpan MaxWait(long frames) => AtLeast + (PerFrame * Math.Clamp(frames, 0, Limits.StepFrames));
}

/// <summary>The end of a lease.</summary>
/// <param name="Frame">The frame from which on the game runs by itself.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Released">Whether there was one.</param>
public readonly record struct ReleaseAnswer(long Frame, Epoch Epoch, bool Released);
