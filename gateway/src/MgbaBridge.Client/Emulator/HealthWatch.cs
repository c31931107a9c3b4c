using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Client.Emulator;

/// <summary>Determines the state of one emulator.</summary>
internal sealed class HealthWatch(string emulator, TimeProvider time, ILogger logger)
{
    private readonly Lock _gate = new();
    private LinkState _link = new(LinkPhase.Connecting, null, null);
    private long _lastFrame = -1;
    private string? _lease;
    private (Epoch Epoch, long Frame) _leaseKnown;
    private EmulatorState _answering = EmulatorState.Ready;
    private (string? Problem, long Sent) _save;
    private EmulatorHealth _health = new(EmulatorState.Connecting, time.GetUtcNow(), null, null, null, null);

    /// <summary>The current state.</summary>
    public EmulatorHealth Now => Volatile.Read(ref _health);

    /// <summary>The state of the link has changed.</summary>
    public void Follow(LinkState link) => Update(link);

    private void Update(LinkState? changed)
    {
        EmulatorHealth before, after;
        lock (_gate)
        {
            before = _health;
            var link = _link = changed ?? _link;
            if (link.Hello is { } hello && !ReferenceEquals(hello, before.Hello))
            {
                _answering = EmulatorHealth.StateOf(hello.Machine);
                _save = (hello.SaveProblem, hello.SavesSent);

                // an event that overtook this reply is newer
                if (hello.Epoch != _leaseKnown.Epoch || hello.Frame > _leaseKnown.Frame)
                {
                    (_lease, _leaseKnown) = (hello.Lease, (hello.Epoch, hello.Frame));
                }
            }

            var state = StateNow();
            var detail = EmulatorHealth.DetailOf(state) ?? link.Failure?.Detail;
            if (state == EmulatorState.Silent && Stops(before.LastAnnounced))
            {
                detail = $"The script announced {before.LastAnnounced} just before. {detail}";
            }

            // the game runs again: after a restart of the emulator nothing is announced that says so
            var isOver = Runs(state) && !Runs(before.State) && Stops(before.LastAnnounced);
            after = before with
            {
                State = state,
                Detail = detail,
                Hello = link.Hello,
                Game = ReferenceEquals(link.Hello, before.Hello) ? before.Game : null,
                Since = state == before.State ? before.Since : time.GetUtcNow(),
                LastAnnounced = isOver ? null : before.LastAnnounced,
                LastAnnouncedAt = isOver ? null : before.LastAnnouncedAt,
                LeaseHolder = link.Phase == LinkPhase.Up ? _lease : null,
                Failure = link.Failure?.Code,
                SaveProblem = link.Phase == LinkPhase.Up ? _save.Problem : null,
                SavesSent = _save.Sent,
            };
            Volatile.Write(ref _health, after);
        }

        Tell(before, after);
    }

    /// <summary>The script sent an event.</summary>
    public void Note(UnsolicitedEvent announcement)
    {
        if (announcement.Topic == EventNames.Lease)
        {
            var values = new ValueReader(announcement.Values.Span);
            lock (_gate)
            {
                _lease = values.Read() && values.Kind == ValueKind.Text ? values.GetText() : null;
                _leaseKnown = (announcement.Epoch, announcement.Frame);
            }

            Update(null);
        }
        else if (announcement.Topic == EventNames.GameMachine)
        {
            var values = new ValueReader(announcement.Values.Span);
            _answering = EmulatorHealth.StateOf(values.Read() ? values.GetText() : "");
            Update(null);
        }
        else if (announcement.Topic == EventNames.GameSave)
        {
            var values = new ValueReader(announcement.Values.Span);
            var save = (Problem: default(string), Sent: 0L);
            while (values.Read())
            {
                save = values.Kind == ValueKind.Text ? save with { Problem = values.GetText() } : values.Kind == ValueKind.Integer ? save with { Sent = values.Integer } : save;
            }

            _save = save;
            Update(null);
        }
        else if (announcement.Topic is EventNames.GameOpened or EventNames.GameReset || Stops(announcement.Topic))
        {
            Remember(announcement);
        }
    }

    // after these the script may say nothing more
    private static bool Stops(string? announced) => announced is EventNames.GameClosed or EventNames.GameCrashed or EventNames.GameStopped or EventNames.ScriptStopping;

    private static bool Runs(EmulatorState state) => state is EmulatorState.Ready or EmulatorState.Leased;

    // the event arrives on each connection; frame and topic identify it
    private void Remember(UnsolicitedEvent announcement)
    {
        lock (_gate)
        {
            if (announcement.Frame == _lastFrame && announcement.Topic == _health.LastAnnounced)
            {
                return;
            }

            _lastFrame = announcement.Frame;
            var game = announcement.Topic is EventNames.GameOpened or EventNames.GameClosed ? GameIdentity.Of(announcement) : _health.Game;
            Volatile.Write(ref _health, _health with { LastAnnounced = announcement.Topic, LastAnnouncedAt = time.GetUtcNow(), Game = game });
        }

        ClientLog.Announced(logger, emulator, announcement.Topic, announcement.Frame);
    }

    private EmulatorState StateNow() => EmulatorHealth.StateOf(_link) switch
    {
        EmulatorState.Ready when _answering != EmulatorState.Ready => _answering,
        EmulatorState.Ready when _lease is not null => EmulatorState.Leased,
        var state => state,
    };

    private void Tell(EmulatorHealth before, EmulatorHealth after)
    {
        if (before.State == after.State)
        {
            return;
        }

        if (after.Detail is { } detail)
        {
            ClientLog.StateWorse(logger, emulator, after.State.ToString(), detail);
        }
        else
        {
            ClientLog.StateBetter(logger, emulator, after.State.ToString());
        }
    }
}
