namespace MgbaBridge.Gateway.Transport;

/// <summary>
/// A script that is waiting for requests answers one that is alone within some 30 us, less than a sleep and a wake-up cost. So the thread that
/// sent it looks a few times for the answer before it goes on (decision 0010). It does not where several ask at once, since then it has more to do, and
/// where looking did not help it tries again only now and then.
/// </summary>
internal sealed class ReplySpinWait(Func<bool> arrived)
{
    /// <summary>How often it looks for one answer: about 0.4 us each time.</summary>
    public const int Looks = 100;

    /// <summary>How many requests are not looked for after looking did not help.</summary>
    public const int RestAfterBadLuck = 64;

    /// <summary>How many are not looked for after several were under way at once.</summary>
    public const int RestAfterCrowd = 1_000;

    private const int MaxLuck = 8;

    private int _luck;
    private int _resting;

    /// <summary>To be called when a request was sent; <paramref name="outstanding"/> replies are, with this one.</summary>
    public void Look(int outstanding)
    {
        if (outstanding > 1)
        {
            _resting = RestAfterCrowd;
        }
        else if (_resting > 0)
        {
            _resting--;
        }
        else if (Arrives())
        {
            _luck = Math.Min(_luck + 1, MaxLuck);
        }
        else if (--_luck < 0)
        {
            (_luck, _resting) = (0, RestAfterBadLuck);
        }
    }

    private bool Arrives()
    {
        for (var look = 0; look < Looks; look++)
        {
            if (arrived())
            {
                return true;
            }
        }

        return false;
    }
}
