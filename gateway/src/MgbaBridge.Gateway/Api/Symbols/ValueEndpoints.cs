using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>Values by name.</summary>
internal static class ValueEndpoints
{
    private const int MaxNames = 256;
    private const int MaxAttempts = 16;

    /// <summary>Reads values by name, all from one frame.</summary>
    public static async Task ReadManyAsync(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, SymbolJson.Default.NamesBody) is not { } body)
        {
            return;
        }

        if (body.Names.Count is 0 or > MaxNames || body.Names.Contains(null!))
        {
            await Problems.BadRequestAsync(http, $"names is a list of 1 to {MaxNames} names.");
            return;
        }

        await GameSymbolRequests.WithGameAsync(http, async (http, naming) =>
        {
            var wanted = new List<(GameProperty, Location)>();
            foreach (var name in body.Names)
            {
                if (!TryFind(http, naming, name, out var property, out var location, out var problem))
                {
                    await problem;
                    return;
                }

                wanted.Add((property, location));
            }

            var cost = wanted.Aggregate(default(ValueCost), (sum, one) => sum + one.Item1.Form.Cost);
            if (cost.Excess is { } excess)
            {
                await Problems.BadRequestAsync(http, $"All values together: {excess} Read fewer at once.");
                return;
            }

            if (await FindAsync(http, naming, wanted) is { } found)
            {
                Headers.SetFrame(http.Response, found.Frame, found.Epoch);
                await JsonBody.WriteAsync(http, new ValuesAnswer(found.Frame, found.Epoch, [.. found.Values.Select(NamedAnswer.Of)]), SymbolJson.Default.ValuesAnswer);
            }
        });
    }

    /// <summary>Finds the property that the path names.</summary>
    public static Task WithPropertyAsync(HttpContext http, Func<HttpContext, GameSymbolRequests, GameProperty, Location, Task> then) =>
        GameSymbolRequests.WithGameAsync(http, async (http, naming) => await (
            TryFind(http, naming, http.Request.RouteValues["value"] as string ?? "", out var property, out var location, out var problem)
                ? then(http, naming, property, location)
                : problem));

    /// <summary>Reads a value.</summary>
    public static async Task ReadAsync(HttpContext http, GameSymbolRequests naming, GameProperty property, Location location)
    {
        if (await FindAsync(http, naming, [(property, location)]) is { } found)
        {
            var named = NamedAnswer.Of(found.Values[0]);
            Headers.SetFrame(http.Response, found.Frame, found.Epoch);
            await JsonBody.WriteAsync(http, new ValueAnswer(found.Frame, found.Epoch, named.Name, named.Location, named.Value), SymbolJson.Default.ValueAnswer);
        }
    }

    /// <summary>Writes a value.</summary>
    public static async Task WriteAsync(HttpContext http, GameSymbolRequests naming, GameProperty property, Location location)
    {
        if (await JsonBody.ReadAsync(http, SymbolJson.Default.ValueBody) is not { } body)
        {
            return;
        }

        if (!Callers.TryOptions(http, out var options))
        {
            await Problems.BadRequestAsync(http, Callers.HolderFormatHint);
            return;
        }

        var bytes = new byte[property.Form.Size];
        if (property.Form.Write(body.Value, bytes) is { } wrong)
        {
            await Problems.BadRequestAsync(http, wrong);
            return;
        }

        for (var attempt = 1; ; attempt++)
        {
            if (await FindAsync(http, naming, [(property, location)]) is not { } found)
            {
                return;
            }

            if (found.Values[0].Location is null)
            {
                await Problems.ConflictAsync(http, "null-pointer", "It is nowhere now", $"A pointer on the way to {property.Name} is 0.");
                return;
            }

            var batch = new RunBatch(ValueWriter.Batch(found.Values[0], naming.IsGameBoy, bytes), null, null);
            using var reply = await naming.Emulator.SendAsync(batch, options with { Epoch = naming.Epoch }, http.RequestAborted);

            // a pointer went elsewhere in between, and nothing was done
            if (reply.Failure is { Failure: Failure.GuardFailed } && attempt < MaxAttempts)
            {
                continue;
            }

            await AnswerAsync(http, naming, found.Values[0], reply);
            return;
        }
    }

    private static async Task AnswerAsync(HttpContext http, GameSymbolRequests naming, NamedValue written, Reply reply)
    {
        if (reply.Failure is { } failure)
        {
            await Problems.WriteAsync(http, naming.Emulator.Id, failure);
            return;
        }

        Headers.SetFrame(http.Response, reply);
        await JsonBody.WriteAsync(
            http, new ValueAnswer(reply.Frame, reply.Epoch, written.Property.Name, written.Location, null), SymbolJson.Default.ValueAnswer);
    }

    /// <summary>Reads values in one frame, or answers with a problem and returns null.</summary>
    private static async Task<NamedValues?> FindAsync(HttpContext http, GameSymbolRequests naming, IReadOnlyList<(GameProperty, Location)> wanted)
    {
        var found = await new ValueReaders(naming.Emulator, naming.IsGameBoy, wanted).ReadAsync(naming.Epoch, http.RequestAborted);
        switch (found)
        {
            case { Failure: { } failure }: await Problems.WriteAsync(http, naming.Emulator.Id, failure); return null;
            case { Unsettled: true }: await Problems.ConflictAsync(http, "unsettled", "The pointers do not hold still", "They pointed elsewhere each time they were followed; try again."); return null;
            default: return found;
        }
    }

    private static bool TryFind(HttpContext http, GameSymbolRequests naming, string name, out GameProperty property, out Location location, out Task problem)
    {
        problem = Task.CompletedTask;
        location = default;
        property = naming.Names.Properties?.Find(name)!;
        if (property is null && TrySymbol(http, naming, name, out property, out var wrong) is false)
        {
            problem = wrong is null
                ? Problems.NotThereAsync(http, "name", $"This game has no property and no symbol {name}. GET /v2/properties and GET /v2/symbols list them.").AsTask()
                : Problems.BadRequestAsync(http, wrong).AsTask();
            return false;
        }

        if (!property!.At.TryFind(naming.Names.Symbols, out location))
        {
            problem = Problems.NotThereAsync(http, "name", $"{name} is at the symbol {property.At.Symbol}, which this game does not have. PUT /v2/symbols brings symbols.").AsTask();
            return false;
        }

        return true;
    }

    // a symbol knows its size at most; what it is the caller says
    private static bool TrySymbol(HttpContext http, GameSymbolRequests naming, string name, out GameProperty property, out string? wrong)
    {
        property = null!;
        wrong = null;
        if (naming.Names.Symbols is not { } symbols || !ValueLocation.TryParse(name, out var place) || place.Symbol is not { } symbol || !symbols.TryGet(symbol, out var known))
        {
            return false;
        }

        var type = http.Request.Query["type"].ToString();
        type = type.Length > 0 ? type : known.Size switch { 1 => "u8", 2 => "u16", _ => "u32" };
        if (ValueTypeQuery.Read(http, type, naming.Names.Properties, out var notRead) is not { } form)
        {
            wrong = notRead;
            return false;
        }

        property = new GameProperty(name, place, [], form);
        return true;
    }
}
