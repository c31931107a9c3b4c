namespace MgbaBridge.Client.Transport;

/// <summary>
/// Spins briefly for the reply of a request that is alone on its connection. A script that is waiting for requests replies within about 30 us, less than a
/// sleep and a wake-up cost (decision 0010). With several requests outstanding the thread does not spin, and after spins without a reply it backs off.
/// </summary>
internal sealed class ReplySpinWait(Func<bool> arrived)
{
    /// <summary>How many times one request checks for its reply; a check takes about 0.4 us.</summary>
    public const int MaxSpins = 100;

    /// <summary>How many requests do not spin after a spin without a reply.</summary>
    public const int BackOffAfterMiss = 64;

    /// <summary>How many requests do not spin after several were outstanding at once.</summary>
    public const int BackOffAfterConcurrency = 1_000;

    private const int MaxCredit = 8;

    private int _credit;
    private int _backOff;

    /// <summary>Call it after sending a request; <paramref name="outstanding"/> counts the replies outstanding, this one included.</summary>
    public void Spin(int outstanding)
    {
        if (outstanding > 1)
        {
            _backOff = BackOffAfterConcurrency;
        }
        else if (_backOff > 0)
        {
            _backOff--;
        }
        else if (ReplyArrives())
        {
            _credit = Math.Min(_credit + 1, MaxCredit);
        }
        else if (--_credit < 0)
        {
            (_credit, _backOff) = (0, BackOffAfterMiss);
        }
    }

    private bool ReplyArrives()
    {
        for (var spin = 0; spin < MaxSpins; spin++)
        {
            if (arrived())
            {
                return true;
            }
        }

        return false;
    }
}
