using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Operations.Symbols;

/// <summary>Values by name.</summary>
internal static class ValueOperations
{
    private static readonly Resource Resource = new("Names", SymbolJson.Default);
    private const string One = "/v2/values/{name}";
    private const int MaxNames = 256;
    private const int MaxAttempts = 16;

    private static readonly Parameter<string> Name = Parameter.Text("name", "A property, a part of one such as `edges[3]` or `node.tag`, or a symbol, perhaps with an offset: `player+0x10`.") with { Example = "frames" };
    private static readonly Parameter<string?> Type = ValueTypes.Type.Optional() with { Sentence = "What a symbol is. By its size unless given, else u32.", Example = "u32" };

    private static readonly ValueShape Unstated = ValueTypes.Shape(null, null, null, null, null);

    private static readonly StatusNote NoName = (FailureKind.NoSuchName, "the game has no property and no symbol of this name.");

    public static HandlerOperation<IReadOnlyList<string>, ValuesAnswer> ReadMany { get; } = new(Resource, "values.readMany", HttpMethods.Post, "/v2/values", Access.Read)
    {
        Summary = "Read values by name, all from one frame",
        Description = $"1 to {MaxNames} names of properties, parts of them (`edges[3]`, `node.tag`) and symbols (as u8, u16 or u32, by their size). Pointers are followed in that same frame.",
        Request = Parameters.Of(Parameter.Texts("names", "Names of properties, parts of them and symbols.", 1, MaxNames)),
        RequestExample = """{"names":["frames","node.value"]}""",
        Run = static (invocation, names) => GameContext.WithAsync(invocation, game => ReadManyAsync(invocation, game, names)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","values":[{"name":"frames","location":"0x02000008","value":4708},{"name":"node.value","location":"0x020000E0","value":12562532}]}""",
        Statuses = [NoName, (FailureKind.Unsettled, "a pointer went elsewhere each time it was followed.")],
    };

    public static HandlerOperation<ValueRequest, ValueAnswer> Read { get; } = new(Resource, "values.read", HttpMethods.Get, One, Access.Read)
    {
        Summary = "Read a value by name",
        Description = "A property, a part of one (`edges[3]`, `node.tag`), or a symbol, optionally with an offset (`player+0x10`). The query gives the type of a symbol.",
        Request = Parameters.Of(
            Name, Type, ValueTypes.Count, ValueTypes.Endian, ValueTypes.Length, ValueTypes.Table,
            static (name, type, count, endian, length, table) => new ValueRequest(name, ValueTypes.Shape(type, count, endian, length, table))),
        Run = static (invocation, request) => GameContext.WithAsync(invocation, game => ReadAsync(invocation, game, request)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","name":"frames","location":"0x02000008","value":4708}""",
        Statuses = [NoName, (FailureKind.Unsettled, "a pointer went elsewhere each time it was followed.")],
    };

    public static HandlerOperation<ValueRequest, ValueAnswer> Write { get; } = new(Resource, "values.write", HttpMethods.Put, One, Access.Write)
    {
        Summary = "Write a value by name",
        Description = "Names are those of reading. Pointers are read again in the frame of the write; one that has changed is followed again.",
        Request = Parameters.Of(
            Name, Type.InQuery(), ValueTypes.Count.InQuery(), ValueTypes.Endian.InQuery(), ValueTypes.Length.InQuery(), ValueTypes.Table.InQuery(), ValueTypes.Value,
            static (name, type, count, endian, length, table, value) => new ValueRequest(name, ValueTypes.Shape(type, count, endian, length, table), value)),
        RequestExample = """{"value":5}""",
        Run = static (invocation, request) => GameContext.WithAsync(invocation, game => WriteAsync(invocation, game, request)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","name":"frames","location":"0x02000008"}""",
        Statuses = [NoName, (FailureKind.NullPointer, "a pointer on the way is 0."), (FailureKind.Unsettled, "a pointer went elsewhere each time it was followed.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [ReadMany, Read, Write];

    private static async ValueTask<Result<ValuesAnswer>> ReadManyAsync(Invocation invocation, GameContext game, IReadOnlyList<string> names)
    {
        var wanted = new List<(GameProperty, Location)>();
        foreach (var name in names)
        {
            if (FindToRead(game, name, Unstated, out var found) is { } unknown)
            {
                return unknown;
            }

            wanted.Add(found);
        }

        var cost = wanted.Aggregate(default(ValueCost), (sum, one) => sum + one.Item1.Type.Cost);
        if (cost.Excess is { } excess)
        {
            return Failure.BadRequest($"All values together: {excess} Read fewer at once.");
        }

        var (values, failure) = await FindAsync(invocation, game, wanted);
        return values is null ? failure! : Result.At(new ValuesAnswer(values.Frame, values.Epoch, [.. values.Values.Select(NamedAnswer.Of)]), values.Frame, values.Epoch);
    }

    private static async ValueTask<Result<ValueAnswer>> ReadAsync(Invocation invocation, GameContext game, ValueRequest request)
    {
        if (FindToRead(game, request.Name, request.Shape, out var wanted) is { } unknown)
        {
            return unknown;
        }

        var (found, failure) = await FindAsync(invocation, game, [wanted]);
        if (found is null)
        {
            return failure!;
        }

        var named = NamedAnswer.Of(found.Values[0]);
        return Result.At(new ValueAnswer(found.Frame, found.Epoch, named.Name, named.Location, named.Value), found.Frame, found.Epoch);
    }

    private static async ValueTask<Result<ValueAnswer>> WriteAsync(Invocation invocation, GameContext game, ValueRequest request)
    {
        if (Find(game, request.Name, request.Shape, out var property, out var location) is { } unknown)
        {
            return unknown;
        }

        var bytes = new byte[property.Type.Size];
        if (property.Type.Write(request.Value, bytes) is { } wrong)
        {
            return Failure.BadRequest(wrong);
        }

        var written = await WriteAsync(invocation, game, (property, location), bytes);
        return new Result<ValueAnswer>(
            written.Value is { } before ? new ValueAnswer(written.Frame!.Value, written.Epoch, before.Property.Name, before.Location, null) : default, written.Failure, written.Frame, written.Epoch);
    }

    /// <summary>Writes a value unless a pointer on the way to it has changed; then the pointers are followed again. The response is the value before.</summary>
    internal static async ValueTask<Result<NamedValue>> WriteAsync(Invocation invocation, GameContext game, (GameProperty Property, Location At) wanted, ReadOnlyMemory<byte> bytes)
    {
        for (var attempt = 1; ; attempt++)
        {
            var (found, failure) = await FindAsync(invocation, game, [wanted]);
            if (found is null)
            {
                return failure!;
            }

            var target = found.Values[0];
            if (target.Location is null)
            {
                return NullPointer(wanted.Property);
            }

            var batch = new RunBatch(ValueWriter.Batch(target, game.IsGameBoy, bytes), null, null);
            using var reply = await invocation.Emulator.SendAsync(batch, invocation.Options with { Epoch = game.Epoch }, invocation.Cancelled);

            // a pointer went elsewhere in between, and nothing was done
            if (reply.Failure is not { Kind: CommandFailureKind.GuardFailed } || attempt == MaxAttempts)
            {
                return Result.Of(reply, _ => target);
            }
        }
    }

    /// <summary>Reads values in one frame, and constants.</summary>
    internal static async ValueTask<(NamedValues? Found, Failure? Failure)> FindAsync(Invocation invocation, GameContext game, IReadOnlyList<(GameProperty Property, Location)> wanted)
    {
        var found = await new ValueReaders(invocation.Emulator, game.IsGameBoy, wanted).ReadAsync(game.Frame, game.Epoch, invocation.Cancelled);
        return found switch
        {
            { Failure: { } failure } => (null, Failure.Of(failure)),
            { Unsettled: true } => (null, Unsettled()),
            _ => (found, null),
        };
    }

    /// <summary>Pointers on the way to values went elsewhere each time.</summary>
    internal static Failure Unsettled() => new(FailureKind.Unsettled, "They pointed elsewhere each time they were followed.", NextStep.Do("Try again."));

    // to be read, a name may be a constant
    private static Failure? FindToRead(GameContext game, string name, ValueShape shape, out (GameProperty Property, Location At) wanted)
    {
        if (game.Names.ConstantOf(name) is { } constant)
        {
            wanted = (constant, default);
            return null;
        }

        var failure = Find(game, name, shape, out var property, out var location);
        wanted = (property, location);
        return failure;
    }

    /// <summary>Finds the property or symbol of a name, and where it is.</summary>
    internal static Failure? Find(GameContext game, string name, ValueShape shape, out GameProperty property, out Location location)
    {
        location = default;
        property = game.Names.Properties?.Find(name)!;
        if (property is null && FindSymbol(game, name, shape, out property) is { } failure)
        {
            return failure;
        }

        return property!.At.TryFind(game.Names.Symbols, out location)
            ? null
            : game.Names.WhyNoPlace(property.At.Symbol!) is { } constant ? Failure.BadRequest(constant)
            : new Failure(FailureKind.NoSuchName, $"{name} is at the symbol {property.At.Symbol}, which this game does not have.", new NextStep(SymbolOperations.Load, "brings symbols"));
    }

    /// <summary>A pointer on the way to a property is 0.</summary>
    internal static Failure NullPointer(GameProperty property) =>
        new Failure(FailureKind.NullPointer, $"A pointer on the way to {property.Name} is 0.", NextStep.Do("Wait until it points somewhere, then try again."));

    // a symbol has a size at most; the caller states the type
    private static Failure? FindSymbol(GameContext game, string name, ValueShape shape, out GameProperty property)
    {
        property = null!;
        if (!ValueLocation.TryParse(name, out var location) || location.Symbol is not { } symbol || game.Names.Symbols is not { } symbols || !symbols.TryGet(symbol, out var known))
        {
            return location.Symbol is { } other && game.Names.WhyNoPlace(other) is { } constant ? Failure.BadRequest(constant)
                : new Failure(FailureKind.NoSuchName, $"This game has no property and no symbol {name}.", new NextStep(PropertyOperations.List, "lists the properties"));
        }

        shape = shape.Type.Length > 0 ? shape : shape with { Type = known.Type.Name() };
        if (shape.Resolve(game.Names.Properties?.TextTables, null, out var wrong) is not { } type)
        {
            return Failure.BadRequest(wrong.Reason);
        }

        property = new GameProperty(name, location, [], type);
        return null;
    }
}
