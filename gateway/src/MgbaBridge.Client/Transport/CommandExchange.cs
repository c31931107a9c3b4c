using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using Microsoft.Extensions.ObjectPool;

namespace MgbaBridge.Client.Transport;

/// <summary>An exchange of one kind of command. Each kind has its own pool, so a command is stored without boxing.</summary>
internal sealed class CommandExchange<TCommand> : Exchange
    where TCommand : struct, ICommand<TCommand>
{
    private static readonly ObjectPool<CommandExchange<TCommand>> Pool =
        new DefaultObjectPool<CommandExchange<TCommand>>(new DefaultPooledObjectPolicy<CommandExchange<TCommand>>(), maximumRetained: 1_024);

    private TCommand _command;

    public override CommandDescriptor Descriptor => _command.Descriptor;

    public override RequestClass RequestClass => TCommand.ClassOf(_command);

    internal override long? TailLength => TCommand.TailOf(_command)?.Length;

    internal static CommandExchange<TCommand> Rent(in TCommand command)
    {
        var exchange = Pool.Get();
        exchange._command = command;
        return exchange;
    }

    internal override int WriteTo(SendBuffer buffer, long acknowledged, Epoch? epoch)
    {
        var start = buffer.Length;
        var tail = TCommand.TailOf(_command);
        var head = new HeadWriter(buffer, Id, tail?.Length);
        if (acknowledged > 0)
        {
            head.Named("ack"u8, acknowledged);
        }

        if (Options.Holder is { } holder)
        {
            head.NamedWord("holder"u8, holder.Utf8);
        }

        if (Options.Owner is { } owner && Descriptor.Kind == CommandKind.Effect)
        {
            head.NamedWord("owner"u8, owner.Utf8);
        }

        if (epoch is { } condition)
        {
            head.NamedEpoch("epoch"u8, condition);
        }

        head.Word(_command.Descriptor.Utf8Name);
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
        Pool.Return(this);
    }
}
