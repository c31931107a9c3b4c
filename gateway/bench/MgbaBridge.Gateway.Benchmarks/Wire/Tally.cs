namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>How requests and connections ended.</summary>
internal sealed class Tally
{
    public long Answered { get; set; }

    /// <summary>Replies whose id or value does not match the request.</summary>
    public long Wrong { get; set; }

    /// <summary>Error replies.</summary>
    public long Errors { get; set; }

    public long Connected { get; set; }
    public long Resets { get; set; }
    public long Refused { get; set; }

    /// <summary>Connections that the script closed while a request was outstanding.</summary>
    public long Closed { get; set; }

    /// <summary>Requests or connections without an answer in time.</summary>
    public long TimedOut { get; set; }

    /// <summary>Connections that failed for lack of a local port: a limit of the generator, not of the script.</summary>
    public long OutOfPorts { get; set; }

    public long Other { get; set; }

    public long Bad => Wrong + Errors + Resets + Refused + Closed + TimedOut + Other;

    public void Count(Errno error)
    {
        switch (error)
        {
            case Errno.None: Closed++; break;
            case Errno.Reset or Errno.BrokenPipe: Resets++; break;
            case Errno.Refused: Refused++; break;
            case Errno.TimedOut or Errno.Again: TimedOut++; break;
            case Errno.OutOfPorts: OutOfPorts++; break;
            default: Other++; break;
        }
    }

    public void Add(Tally other)
    {
        Answered += other.Answered;
        Wrong += other.Wrong;
        Errors += other.Errors;
        Connected += other.Connected;
        Resets += other.Resets;
        Refused += other.Refused;
        Closed += other.Closed;
        TimedOut += other.TimedOut;
        OutOfPorts += other.OutOfPorts;
        Other += other.Other;
    }
}
