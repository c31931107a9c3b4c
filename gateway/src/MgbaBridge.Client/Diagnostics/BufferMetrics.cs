using System.Diagnostics.Metrics;
using MgbaBridge.Client.Buffers;
using Microsoft.IO;

namespace MgbaBridge.Client.Diagnostics;

/// <summary>The gauges and events of <see cref="StreamPool"/>.</summary>
internal static class BufferMetrics
{
    private const string Pool = "mgba.pool";
    private const string Reason = "mgba.reason";

    private static readonly KeyValuePair<string, object?> Block = new(Pool, "block");
    private static readonly KeyValuePair<string, object?> Large = new(Pool, "large");

    /// <summary>Adds the instruments to a meter. Call once.</summary>
    public static void AddTo(Meter meter)
    {
        var manager = StreamPool.Manager;
        meter.CreateObservableUpDownCounter<long>(
            "mgba.bridge.buffer.in_use", () => [new(manager.SmallPoolInUseSize, Block), new(manager.LargePoolInUseSize, Large)], "By", "Bytes of pooled buffers that requests use now.");
        meter.CreateObservableUpDownCounter<long>(
            "mgba.bridge.buffer.free", () => [new(manager.SmallPoolFreeSize, Block), new(manager.LargePoolFreeSize, Large)], "By", "Bytes of pooled buffers that are free.");
        var created = meter.CreateCounter<long>("mgba.bridge.buffer.created", "{buffer}", "Pooled buffers that were allocated.");
        manager.BlockCreated += (_, _) => created.Add(1, Block);
        manager.LargeBufferCreated += (_, _) => created.Add(1, Large);
        var discarded = meter.CreateCounter<long>("mgba.bridge.buffer.discarded", "{buffer}", "Buffers that did not return to the pool: longer than it keeps, or enough were free.");
        manager.BufferDiscarded += (_, buffer) => discarded.Add(
            1,
            buffer.BufferType == RecyclableMemoryStreamManager.Events.MemoryStreamBufferType.Small ? Block : Large,
            new(Reason, buffer.Reason == RecyclableMemoryStreamManager.Events.MemoryStreamDiscardReason.TooLarge ? "too-large" : "enough-free"));
        var leaked = meter.CreateCounter<long>("mgba.bridge.buffer.leaked", "{stream}", "Streams that were not disposed. Any is a defect of the gateway.");
        manager.StreamFinalized += (_, _) => leaked.Add(1);
    }
}
