using System.Buffers;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Client.Transport;

namespace MgbaBridge.Gateway.Tests.Commands;

/// <summary>The wire text of each command.</summary>
public sealed class CommandWireTests
{
    [Fact]
    public void Ping_OnTheWire_HasNoArguments() => Assert.Equal("#1 ping<|END|>", Write(new Ping()));

    [Fact]
    public void Cancel_OnTheWire_NamesTheId() => Assert.Equal("#1 cancel 17<|END|>", Write(new Cancel(17)));

    [Fact]
    public void Echo_OnTheWire_IsATail() =>
        Assert.Equal("#1+7 echo<|END|><|END|>", Write(new Echo(new ReadOnlySequence<byte>("<|END|>"u8.ToArray()))));

    [Fact]
    public void Echo_OfNothing_SaysSoInTheHead() => Assert.Equal("#1+0 echo<|END|>", Write(new Echo(ReadOnlySequence<byte>.Empty)));

    [Fact]
    public void ReadCell_OnTheWire_HasItsWidthInTheName()
    {
        Assert.Equal("#1 memory.read8 33554432<|END|>", Write(new ReadCell(Location.Bus(0x02000000), CellWidth.Byte)));
        Assert.Equal("#1 memory.read16 wram:16<|END|>", Write(new ReadCell(new Location("wram", 16), CellWidth.Half)));
        Assert.Equal("#1 memory.read32 0<|END|>", Write(new ReadCell(Location.Bus(0), CellWidth.Word)));
    }

    [Fact]
    public void WriteCell_WithAcknowledgement_SaysItBeforeTheCommand() =>
        Assert.Equal("#1 ack=41 memory.write16 5 -1<|END|>", Write(new WriteCell(Location.Bus(5), CellWidth.Half, -1), acknowledged: 41));

    [Fact]
    public void WriteMemory_WithAnEpoch_SaysEightDigits() =>
        Assert.Equal("#1+2 epoch=0000abcd memory.write 5<|END|>hi", Write(new WriteMemory(Location.Bus(5), new ReadOnlySequence<byte>("hi"u8.ToArray())), epoch: new Epoch(0xabcd)));

    [Fact]
    public void Command_OfAHolder_NamesIt() =>
        Assert.Equal("#1 holder=compat ping<|END|>", Write(new Ping(), options: new RequestOptions { Holder = Holder.Compat }));

    [Fact]
    public void Hello_OnTheWire_QuotesWhatPeopleWrite() =>
        Assert.Equal("#1 hello 3 client=\"a \\x7c b\" session=\"5f\" challenge=\"11\" proof=\"00\"<|END|>", Write(new Hello("a | b", "5f", "11", "00")));

    private static string Write<TCommand>(TCommand command, long acknowledged = 0, Epoch? epoch = null, RequestOptions options = default)
        where TCommand : struct, ICommand<TCommand>
    {
        using var buffer = new SendBuffer();
        var exchange = CommandExchange<TCommand>.Rent(command);
        Exchange.Prepare(exchange, new Session(), null, options, 0, 0, CancellationToken.None);
        exchange.WriteTo(buffer, acknowledged, epoch);
        return Encoding.UTF8.GetString(buffer.Written.Span);
    }
}
