using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Protocol;
using Microsoft.Extensions.ObjectPool;

namespace MgbaBridge.Gateway.Transport;

/// <summary>An exchange of one kind of command. Each kind has its own pool, so a command is stored without boxing.</summary>
internal sealed class CommandExchange<TCommand> : Exchange
    where TCommand : struct, ICommand
{
    private static readonly ObjectPool<CommandExchange<TCommand>> Pool =
        new DefaultObjectPool<CommandExchange<TCommand>>(new DefaultPooledObjectPolicy<CommandExchange<TCommand>>(), maximumRetained: 1_024);

    private TCommand _command;
    private LegacyForm? _legacy;

    public override CommandRow Row => _command.Row;

    public override Lane Lane => _command.Lane;

    internal override long? TailLength => _command.Tail?.Length;

    internal override LegacyForm? LegacyForm => _legacy ??= LegacyForms.Of(_command);

    internal static CommandExchange<TCommand> Rent(in TCommand command)
    {
        var exchange = Pool.Get();
        exchange._command = command;
        return exchange;
    }

    internal override int WriteTo(SendBuffer buffer, long acknowledged, uint? epoch)
    {
        var start = buffer.Length;
        var tail = _command.Tail;
        var head = new HeadWriter(buffer, Id, tail?.Length);
        if (acknowledged > 0)
        {
            head.Named("ack"u8, acknowledged);
        }

        if (Options.Holder is { } holder)
        {
            head.NamedWord("holder"u8, holder.Utf8);
        }

        if (epoch is { } condition)
        {
            head.NamedEpoch("epoch"u8, condition);
        }

        head.Word(_command.Row.Utf8Name);
        _command.WriteArguments(ref head);
        head.End();
        var length = buffer.Length - start;
        if (tail is { } bytes)
        {
            buffer.Append(bytes);
        }

        return length;
    }

    private protected override void GiveBack()
    {
        _command = default;
        _legacy = null;
        Pool.Return(this);
    }
}
