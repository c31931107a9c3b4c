using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <summary>What was received cannot be understood, and where the next message starts is not known: the connection ends.</summary>
internal sealed class BrokenStreamException(FailureReport report) : Exception(report.Detail)
{
    /// <summary>What its requests fail with.</summary>
    public FailureReport Report { get; } = report;
}
