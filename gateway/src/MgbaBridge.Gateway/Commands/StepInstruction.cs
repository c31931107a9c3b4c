using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Runs one instruction of the CPU.</summary>
public readonly record struct StepInstruction() : ICommand
{
    private static readonly CommandRow StepRow = new("core.step", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => StepRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}
