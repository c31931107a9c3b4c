namespace MgbaBridge.Fleet.Routing;

/// <summary>Callers that wait until sessions can be reached. One look at the database serves all of them.</summary>
internal sealed class SessionWaits
{
    private readonly Dictionary<string, Waiting> _waiting = [];

    /// <summary>The sessions that somebody waits for.</summary>
    public string[] Sessions
    {
        get
        {
            lock (_waiting)
            {
                return [.. _waiting.Keys];
            }
        }
    }

    /// <summary>Whether somebody waits.</summary>
    public bool Any
    {
        get
        {
            lock (_waiting)
            {
                return _waiting.Count > 0;
            }
        }
    }

    /// <summary>Begins to wait. The task ends with the first <see cref="Release"/> of the session. Each caller must <see cref="Leave"/>.</summary>
    public Task Enter(string session)
    {
        lock (_waiting)
        {
            if (!_waiting.TryGetValue(session, out var waiting))
            {
                _waiting[session] = waiting = new Waiting();
            }

            waiting.Callers++;
            return waiting.Released.Task;
        }
    }

    /// <summary>Does not wait any more.</summary>
    public void Leave(string session, Task entered)
    {
        lock (_waiting)
        {
            if (_waiting.TryGetValue(session, out var waiting) && waiting.Released.Task == entered && --waiting.Callers == 0)
            {
                _waiting.Remove(session);
            }
        }
    }

    /// <summary>Lets all callers that wait for the session continue.</summary>
    public void Release(string session)
    {
        lock (_waiting)
        {
            if (_waiting.Remove(session, out var waiting))
            {
                waiting.Released.SetResult();
            }
        }
    }

    private sealed class Waiting
    {
        public TaskCompletionSource Released { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int Callers { get; set; }
    }
}
