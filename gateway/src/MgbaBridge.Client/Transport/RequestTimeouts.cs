using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Transport;

/// <summary>Fails the pending requests of one connection whose time is over, and cancels them in the script. Not to be called concurrently.</summary>
internal sealed class RequestTimeouts(Connection connection, PendingRequests pending, MonotonicClock clock)
{
    private readonly List<Exchange> _ended = [];

    /// <summary>Fails the requests whose deadline has passed.</summary>
    public void FailOverdue(long now)
    {
        pending.AbandonOverdue(now, _ended);
        foreach (var exchange in _ended)
        {
            var timeout = clock.Between(exchange.StartedAt, exchange.Deadline);
            CancelInScript(exchange);
            exchange.EndAttemptElsewhere(Reply.Failed(FailureText.ReplyTimedOut(timeout, connection.IsSilent)));
        }

        _ended.Clear();
    }

    /// <summary>Fails the requests of a kind that do not outlast silence.</summary>
    public void FailSilent(CommandKind kind)
    {
        pending.AbandonSilent(kind, _ended);
        var silent = FailureText.Silent(connection.Address, connection.SilenceTimeout);
        foreach (var exchange in _ended)
        {
            // an effect may have started before, and the script cannot confirm the cancellation while it is silent
            CancelInScript(exchange);
            exchange.EndAttemptElsewhere(Reply.Failed(kind == CommandKind.Effect ? FailureText.Indeterminate(silent.Detail) : silent));
        }

        _ended.Clear();
    }

    /// <summary>Cancels all requests and returns them; they remain to be completed.</summary>
    public IReadOnlyList<Exchange> CancelAll()
    {
        var left = new List<Exchange>();
        pending.AbandonAll(left);
        left.ForEach(CancelInScript);
        return left;
    }

    // a request must not run after its caller was notified of the failure
    private void CancelInScript(Exchange exchange)
    {
        if (!exchange.Unattended)
        {
            connection.SendUnattended(new Cancel(exchange.Id));
        }
    }
}
