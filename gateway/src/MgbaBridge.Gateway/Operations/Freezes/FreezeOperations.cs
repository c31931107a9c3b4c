using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Symbols;

namespace MgbaBridge.Gateway.Operations.Freezes;

/// <summary>Values that the script writes every frame.</summary>
internal static class FreezeOperations
{
    private static readonly Resource Resource = new("Memory", FreezeJson.Default);
    private const string One = "/v2/freezes/{freeze}";

    public static HandlerOperation<FreezeRequest, FreezeAnswer> Set { get; } = new(Resource, "freezes.set", HttpMethods.Put, "/v2/freezes", Access.Write)
    {
        Summary = "Freeze a value",
        Description = "Writes the value now and again in every frame, before anything reads it. A freeze ends after its frames, when it is released, when its holder's connection ends (WebSocket), "
            + $"when the gateway is gone for {Limits.ReleaseSeconds} seconds, and when the game changes. All freezes together: {Limits.Freezes}, and {Limits.FreezesCost / 1000} ms a frame. Frozen values apply during lockstep steps; a recording or a replay does not start while there are freezes.",
        Request = Parameters.Of(
            Parameter.Text("location", "Where: an address (`0x02000008`), an offset in a domain (`wram:0x8`), or the name of a property or symbol. Pointers of a property are followed once, now."),
            ValueTypes.Value,
            Parameter.Text("id", $"The name of the freeze, 1 to {Limits.FreezeName} bytes; `location` unless given. A freeze of the same holder with this id is replaced.", minLength: 0).Optional(),
            Parameter.Integer("frames", 1, (long)int.MaxValue, "In how many frames it is written; until it is released unless given.").Optional(),
            ValueTypes.Type.Optional(),
            ValueTypes.Count,
            ValueTypes.Endian,
            ValueTypes.Length,
            ValueTypes.Table,
            static (location, value, id, frames, type, count, endian, length, table) =>
                new FreezeRequest(location, value, id, frames, ValueTypes.Shape(type, count, endian, length, table))),
        RequestExample = """{"id":"health","location":"0x02010000","type":"u16","value":99,"frames":600}""",
        Run = SetAsync,
        Holds = Held.Freezes,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","id":"health","holder":"http","location":"0x02010000","last":5310}""",
        Statuses = [(FailureKind.NoSuchName, "the game has no property and no symbol of this name."), (FailureKind.NullPointer, "a pointer on the way is 0."), (FailureKind.Unsettled, "a pointer went elsewhere each time it was followed.")],
    };

    public static CommandOperation<ListFreezes, FreezesAnswer> List { get; } = new(Resource, "freezes.list", HttpMethods.Get, "/v2/freezes", Access.Read)
    {
        Summary = "The frozen values of all holders",
        Request = Parameters.Always(new ListFreezes()),
        Read = FreezesAnswer.Of,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","freezes":[{"id":"health","holder":"http","location":"0x02010000","bytes":"YwA=","last":5310}]}""",
    };

    public static HandlerOperation<string, UnfreezeAnswer> Delete { get; } = new(Resource, "freezes.delete", HttpMethods.Delete, One, Access.Write)
    {
        Summary = "Release a frozen value",
        Description = "The freeze of this holder with this id. To release another holder's, send its name in `Mgba-Holder`.",
        Request = Parameters.Of(Parameter.Text("id", "The id of a freeze of the holder.", minLength: 0) with { PathName = "freeze", Example = "health" }),
        Run = static async (invocation, name) =>
        {
            if (WrongId(name) is { } wrong)
            {
                return Failure.BadRequest(wrong);
            }

            var released = await invocation.SendAsync(new UnfreezeMemory(name), AnswerOf);
            return released is { Failure: null, Value.Released: 0 }
                ? new Failure(FailureKind.NoSuchFreeze, $"{invocation.Options.Holder?.Name} has no freeze {name}.", new NextStep(List, "lists those of all holders"))
                : released;
        },
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","released":1}""",
        Statuses = [(FailureKind.NoSuchFreeze, "the holder has no such freeze.")],
    };

    public static CommandOperation<UnfreezeMemory, UnfreezeAnswer> DeleteAll { get; } = new(Resource, "freezes.deleteAll", HttpMethods.Delete, "/v2/freezes", Access.Write)
    {
        Summary = "Release all frozen values of the holder",
        Request = Parameters.Always(new UnfreezeMemory()),
        Read = static (_, reply) => AnswerOf(reply),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","released":2}""",
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Set, Delete, DeleteAll];

    private static string? WrongId(string? id) =>
        id is not null && Encoding.UTF8.GetByteCount(id) is > 0 and <= Limits.FreezeName ? null : $"An id has 1 to {Limits.FreezeName} bytes; give the freeze an id of its own with \"id\".";

    private static UnfreezeAnswer AnswerOf(Reply reply) => new(reply.Frame, reply.Epoch, UnfreezeMemory.Parse(reply));

    private static async ValueTask<Result<FreezeAnswer>> SetAsync(Invocation invocation, FreezeRequest body)
    {
        var id = body.Id ?? body.Location;
        if (WrongId(id) is { } wrong)
        {
            return Failure.BadRequest(wrong);
        }

        var (place, failure) = await TypedLocations.FindAsync(invocation, body.Location, body.Shape with { Length = body.Shape.Length ?? LengthOf(body) });
        if (failure is not null)
        {
            return failure;
        }

        var bytes = new byte[place!.Type.Size];
        if (place.Type.Write(body.Value, bytes) is { } notWritten)
        {
            return Failure.BadRequest(notWritten);
        }

        var options = invocation.Options with { Epoch = place.Epoch };
        using var reply = await invocation.Emulator.SendAsync(new FreezeMemory(id, place.Location, bytes, body.Frames), options, invocation.Cancelled);
        return Result.Of(reply, reply => new FreezeAnswer(reply.Frame, reply.Epoch, id, options.Holder?.Name ?? "", place.Location, FreezeMemory.Parse(reply)));
    }

    // bytes have as many as the value
    private static int? LengthOf(FreezeRequest body) =>
        body.Shape.Type == "bytes" && body.Value.ValueKind == System.Text.Json.JsonValueKind.String && body.Value.TryGetBytesFromBase64(out var bytes) ? bytes.Length : null;
}
