using System.Buffers.Binary;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Symbols;

/// <summary>Pointers that change between two reads, which a real game cannot do on request.</summary>
public sealed class ValueReadersTests
{
    private static readonly GameProperty Chained = new("hp", new ValueLocation(null, Location.Bus(0x100)), [4], new ScalarType(NumberType.U32, Endian.Little));

    [Theory]
    [InlineData(3)]
    [InlineData(20)]
    public async Task Read_WhilePointersChange_IsOfOneFrame(int changes)
    {
        var reads = 0;
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = request => request.Command == "memory.gather" ? Read(request, Math.Min(++reads, changes)) : null });
        await using var client = await Clients.ReadyAsync(fake);
        var found = await new ValueReaders(client, false, [(Chained, Chained.At.Location)]).ReadAsync(0, FakeEpoch(client), TestContext.Current.CancellationToken);
        Assert.Null(found.Failure);
        Assert.Equal(Location.Bus((changes * 0x1000) + 4), found.Values[0].Location);
        Assert.Equal(changes, BinaryPrimitives.ReadInt32LittleEndian(found.Values[0].Bytes.Span));
    }

    [Fact]
    public async Task Read_WhilePointersNeverHoldStill_EndsAndSaysSo()
    {
        var reads = 0;
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = request => request.Command == "memory.gather" ? Read(request, ++reads) : null });
        await using var client = await Clients.ReadyAsync(fake);
        var found = await new ValueReaders(client, false, [(Chained, Chained.At.Location)]).ReadAsync(0, FakeEpoch(client), TestContext.Current.CancellationToken);
        Assert.True(found.Unsettled);
    }

    // the pointer leads to 0x1000 times the number of the read, and what is there is that number
    private static FakeReply Read(FakeRequest request, int read)
    {
        var words = request.Arguments.Split(' ');
        var tail = new byte[words.Length / 2 * 4];
        BinaryPrimitives.WriteInt32LittleEndian(tail, read * 0x1000);
        if (tail.Length > 4)
        {
            BinaryPrimitives.WriteInt32LittleEndian(tail.AsSpan(4), (int)request.Number(2) / 0x1000);
        }

        return FakeReply.Bytes(tail);
    }

    private static Epoch FakeEpoch(EmulatorClient client) => client.Health.Hello!.Epoch;
}
