namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The few error numbers of Linux that are told apart here.</summary>
internal enum Errno
{
    None = 0,
    Again = 11,
    BrokenPipe = 32,
    OutOfPorts = 99,
    Reset = 104,
    TimedOut = 110,
    Refused = 111,
    InProgress = 115,
}
