namespace MgbaBridge.FakeEmulator;

/// <summary>What the fake keeps for a session: replies to effects until they are acknowledged, and what was cancelled.</summary>
internal sealed class FakeSession
{
    private readonly Dictionary<long, FakeReply> _replies = [];
    private readonly HashSet<long> _cancelled = [];
    private long _acknowledged;

    /// <summary>Runs a request once, however often it comes.</summary>
    public FakeReply Run(FakeRequest request, uint epoch, Func<FakeReply> run)
    {
        if (request.Options.TryGetValue("ack", out var ack))
        {
            _acknowledged = Math.Max(_acknowledged, long.Parse(ack, System.Globalization.CultureInfo.InvariantCulture));
            foreach (var id in _replies.Keys.Where(id => id <= _acknowledged).ToArray())
            {
                _replies.Remove(id);
            }
        }

        if (_replies.TryGetValue(request.Id, out var done))
        {
            return done;
        }

        if (request.Id <= _acknowledged)
        {
            return FakeReply.Refuse("expired", "that id is over");
        }

        if (_cancelled.Remove(request.Id))
        {
            return FakeReply.Refuse("cancelled", "it was cancelled");
        }

        if (request.Options.TryGetValue("epoch", out var wanted) && wanted != epoch.ToString("x8", System.Globalization.CultureInfo.InvariantCulture))
        {
            return FakeReply.Refuse("epoch-changed", "this is another epoch");
        }

        var reply = run();
        if (!IsRead(request.Command))
        {
            _replies[request.Id] = reply;
        }

        return reply;
    }

    /// <summary>Takes a request back.</summary>
    public FakeReply Cancel(long id)
    {
        _cancelled.Add(id);
        return FakeReply.Ok(_replies.ContainsKey(id) ? "false" : "true");
    }

    private static bool IsRead(string command) =>
        command.Contains("read", StringComparison.Ordinal) || command is "echo" or "ping" or "cancel" or "hello" or "status";
}
