using MgbaBridge.Gateway.Interfaces.WebSockets;

namespace MgbaBridge.Gateway.Tests.Interfaces.WebSockets;

public sealed class WebSocketLongRunningTests
{
    private static readonly WebSocketId Id = new(1, null);

    private readonly WebSocketLongRunning _running = new(CancellationToken.None);

    [Fact]
    public void Id_OfARequestThatIsBeingAnswered_MayBeUsedAgain()
    {
        Assert.Null(_running.TryBegin(Id, out var first));
        Assert.Contains("still under way", _running.TryBegin(Id, out _), StringComparison.Ordinal);
        first.Free();
        Assert.Null(_running.TryBegin(Id, out var second));
        _running.End(first);
        Assert.True(_running.Cancel(Id));
        Assert.True(second.Cancellation.IsCancellationRequested);
    }

    [Fact]
    public void End_WaitsForAnswersThatAreBeingSent()
    {
        _running.TryBegin(Id, out var request);
        request.Free();
        var end = _running.EndAsync();
        Assert.False(end.IsCompleted);
        _running.End(request);
        Assert.True(end.IsCompleted);
    }

    [Fact]
    public void Answers_ThatNobodyReads_AreLimited()
    {
        for (var number = 0; number < 2 * WebSocketLimits.LongRunning; number++)
        {
            Assert.Null(_running.TryBegin(new WebSocketId(number, null), out var request));
            request.Free();
        }

        Assert.Contains("still under way", _running.TryBegin(Id, out _), StringComparison.Ordinal);
    }
}
