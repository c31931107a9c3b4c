using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Memory;

/// <summary>
/// Runs reads, writes and guards in order, in one frame. What the script refuses to access counts as a gap, as it does for clients of other emulators.
/// A guard after a write takes a batch of its own, since a batch checks its guards first.
/// </summary>
internal sealed class FrameMemory(Invocation invocation)
{
    // each attempt after a failure makes one more part a gap
    private const int MaxAttempts = 64;

    /// <summary>Runs the requests.</summary>
    public async ValueTask<MemoryOutcome> RunAsync(IReadOnlyList<MemoryRequest> requests)
    {
        for (var first = 0; first < requests.Count;)
        {
            var end = EndOfBatch(requests, first);
            var outcome = await RunBatchAsync(requests, first, end);
            if (outcome is not { FailedGuard: null, Failure: null })
            {
                return outcome;
            }

            first = end;
        }

        return default;
    }

    // the first guard that has a write before it
    private static int EndOfBatch(IReadOnlyList<MemoryRequest> requests, int first)
    {
        var hasWrite = false;
        for (var index = first; index < requests.Count; index++)
        {
            if (hasWrite && requests[index].Action == MemoryAction.Guard)
            {
                return index;
            }

            hasWrite |= requests[index].Action == MemoryAction.Write;
        }

        return requests.Count;
    }

    private async ValueTask<MemoryOutcome> RunBatchAsync(IReadOnlyList<MemoryRequest> requests, int first, int end)
    {
        var items = ItemsOf(requests, first, end);
        int? failedGuard = null;
        for (var attempt = 0; attempt < MaxAttempts; attempt++)
        {
            if (items.Find(static item => item.IsFailedGap) is { } gap && !(gap.Index >= failedGuard))
            {
                failedGuard = gap.Index;
            }

            if (failedGuard is { } failed)
            {
                items.RemoveAll(item => item.Index >= failed);
            }

            items.RemoveAll(static item => item.IsGap);
            if (items.Count == 0)
            {
                return new MemoryOutcome(failedGuard, null);
            }

            using var reply = await SendAsync(items);
            if (reply.Failure is not { } failure)
            {
                if (Take(reply, items) is { } refused)
                {
                    return new MemoryOutcome(failedGuard, refused);
                }
            }
            else if (ItemOf(failure) is not { } number || number > items.Count)
            {
                return new MemoryOutcome(failedGuard, failure);
            }
            else if (failure.Kind == CommandFailureKind.GuardFailed)
            {
                // those before it hold, and are not needed again
                failedGuard = items[number - 1].Index;
                items.RemoveAll(static item => item.Request.Action == MemoryAction.Guard);
            }
            else if (IsGap(failure))
            {
                items[number - 1].IsRefused = true;
            }
            else
            {
                return new MemoryOutcome(failedGuard, failure);
            }
        }

        return new MemoryOutcome(failedGuard, new CommandFailure(CommandFailureKind.Rejected, $"More than {MaxAttempts} parts of the request cannot be accessed.") { PartlyDone = true });
    }

    private ValueTask<Reply> SendAsync(IReadOnlyList<Item> items)
    {
        var batch = new BatchItems();
        foreach (var item in items)
        {
            item.AddTo(batch);
        }

        return invocation.Emulator.SendAsync(new RunBatch(batch), invocation.Options, invocation.Cancelled);
    }

    private static bool IsGap(CommandFailure failure) => failure.Code is ErrorCode.BadAddress or ErrorCode.Unsupported or ErrorCode.BadArgument;

    // removes the items that were done; the one that is a gap, if any, is the first that remains. Returns why another was refused, or null.
    private static CommandFailure? Take(Reply reply, List<Item> items)
    {
        var done = 0;
        var results = new ItemResults(reply.Tail);
        while (results.Read())
        {
            if (results.ToFailure() is { } failure)
            {
                if (!IsGap(failure))
                {
                    return failure;
                }

                items[done].IsRefused = true;
                break;
            }

            items[done++].Take(results.Bytes.Span);
        }

        items.RemoveRange(0, done);
        return null;
    }

    private static int? ItemOf(CommandFailure failure)
    {
        var values = new ValueReader(failure.Values.Span);
        return values.ReadTo("item"u8) ? (int)values.Integer : null;
    }

    // guards first, as a batch requires
    private static List<Item> ItemsOf(IReadOnlyList<MemoryRequest> requests, int first, int end)
    {
        var items = new List<Item>();
        for (var index = first; index < end; index++)
        {
            var offset = 0;
            foreach (var part in requests[index].Parts)
            {
                items.Add(new Item(index, requests[index], part, offset));
                offset += part.Length;
            }
        }

        return [.. items.OrderBy(static item => item.Request.Action != MemoryAction.Guard)];
    }

    private sealed class Item(int index, MemoryRequest request, MemoryPart part, int offset)
    {
        public int Index => index;

        public MemoryRequest Request => request;

        public bool IsRefused { get; set; }

        public bool IsGap => IsRefused || part.Location is null || part.Length == 0;

        // a gap reads as zeros
        public bool IsFailedGap => request.Action == MemoryAction.Guard && IsGap && request.Data.AsSpan(offset, part.Length).ContainsAnyExcept((byte)0);

        private ReadOnlyMemory<byte> Bytes => request.Data.AsMemory(offset, part.Length);

        public void AddTo(BatchItems batch)
        {
            var location = part.Location!.Value;
            switch (request.Action)
            {
                case MemoryAction.Read:
                    batch.Add(new ReadMemory(location, part.Length), ItemResultKind.Bytes);
                    break;
                case MemoryAction.Write:
                    batch.Add(new WriteMemory(location, new ReadOnlySequence<byte>(Bytes)));
                    break;
                default:
                    batch.Add(new GuardBytes(location, Bytes));
                    break;
            }
        }

        public void Take(ReadOnlySpan<byte> read)
        {
            if (request.Action == MemoryAction.Read)
            {
                read.CopyTo(request.Data.AsSpan(offset, part.Length));
            }
        }
    }
}
