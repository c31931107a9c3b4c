using System.Net.ServerSentEvents;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using System.Text.RegularExpressions;

namespace MgbaBridge.Http;

/// <summary>
/// An emulator behind a gateway: short methods for what programs do often, and one for each operation. Keys are A, B, Select, Start, Right, Left, Up, Down,
/// R and L; several are <c>A+Up</c>. A place is a name of the property map or symbol table (<c>player.hp</c>), or a location (<c>0x02000000</c>, <c>wram:0x10</c>).
/// All methods throw <see cref="GatewayException"/> for what the gateway refuses.
/// </summary>
public partial class Emulator : Operations, IAsyncDisposable
{
    private const int LeaseMs = 10_000;
    private const int AllOfAState = 1 + 2 + 8 + 16; // what loading takes: picture, save data, clock, metadata

    private static readonly TimeSpan RenewAfter = TimeSpan.FromSeconds(3); // without a request, after which the lease is renewed
    private static readonly EventAnswer NoValues = new() { Frame = 0, Epoch = "", Topic = "" };
    private static readonly string[] NumberTypes = ["u8", "s8", "u16", "s16", "u32", "s32"];

    private readonly Connection _connection;
    private readonly string _path;
    private readonly CancellationTokenSource _end = new();
    private readonly SemaphoreSlim _stepping = new(1);
    private Task? _renewing;
    private volatile bool _isLeased;
    private volatile bool _isRenewed;
    private volatile bool _holdsKeys;
    private int _pending;
    private long _usedAt;

    internal Emulator(Connection connection, string path) => (_connection, _path) = (connection, path);

    /// <summary>Presses keys together for 1 to 36000 frames, and waits until they are up.</summary>
    /// <param name="keys">The keys, such as <c>A</c> or <c>A+Up</c>.</param>
    /// <param name="frames">For how many frames.</param>
    /// <param name="wait">Whether the response comes when the keys are up rather than immediately.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    /// <returns>The first frame with the keys, and the first without.</returns>
    public Task<PressAnswer> PressAsync(string keys, int frames = 4, bool wait = true, CancellationToken cancellationToken = default) =>
        KeysTapAsync(KeysOf(keys), frames, wait: wait, cancellationToken: cancellationToken);

    /// <summary>Presses a sequence, and waits until its last frame.</summary>
    /// <param name="sequence">Keys with frames behind each part: <c>A 4, wait 10, Up+B 2</c>.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public Task<PressAnswer> PlayAsync(string sequence, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sequence);
        var frames = Numbers().Matches(sequence).Sum(number => int.TryParse(number.ValueSpan, out var count) ? (long)count : 0);
        var request = new Request("keys.sequence", HttpMethod.Post, "/v2/keys/sequence") { IsKeyed = true, Frames = (int)Math.Min(frames, int.MaxValue) };
        return CallAsync(
            request.Body("application/json", new KeysSequenceBody { Sequence = sequence, Wait = true }, OperationsJson.Default.KeysSequenceBody), OperationsJson.Default.PressAnswer, cancellationToken);
    }

    /// <summary>Holds exactly these keys, until the next call, <see cref="ReleaseAsync"/> or the end.</summary>
    /// <param name="keys">The keys, such as <c>A</c> or <c>A+Up</c>.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public async Task HoldAsync(string keys, CancellationToken cancellationToken = default)
    {
        var list = KeysOf(keys);
        _holdsKeys = true;
        await KeysSetAsync(list, cancellationToken);
    }

    /// <summary>Releases all keys.</summary>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public async Task ReleaseAsync(CancellationToken cancellationToken = default)
    {
        await KeysReleaseAsync(cancellationToken);
        _holdsKeys = false;
    }

    /// <summary>A number in memory.</summary>
    /// <param name="place">A name or a location.</param>
    /// <param name="type">u8, s8, u16, s16, u32 or s32; u8 of a location unless given. A name has its own.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    /// <exception cref="InvalidOperationException">The name is not that of a number.</exception>
    public async Task<long> ReadAsync(string place, string? type = null, CancellationToken cancellationToken = default) =>
        As<long>(place, await ValueAsync(place, type ?? "u8", type, cancellationToken: cancellationToken), "a number", nameof(ReadAsync));

    /// <summary>Numbers in memory, side by side.</summary>
    /// <param name="place">A name or a location.</param>
    /// <param name="count">How many, 1 to 262144; needed for a location, a name of a list has its own.</param>
    /// <param name="type">u8, s8, u16, s16, u32 or s32; u8 of a location unless given. A name has its own.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    /// <exception cref="InvalidOperationException">The name is not that of a list of numbers.</exception>
    public async Task<IReadOnlyList<long>> ReadListAsync(string place, int? count = null, string? type = null, CancellationToken cancellationToken = default)
    {
        var value = await ValueAsync(place, type ?? "u8", type, count, cancellationToken: cancellationToken);
        return value is JsonArray list
            ? [.. list.Select(one => As<long>(place, one, "a list of numbers", nameof(ReadListAsync)))]
            : throw NotOf(place, value, "a list", nameof(ReadListAsync));
    }

    /// <summary>A text in memory.</summary>
    /// <param name="place">A name or a location.</param>
    /// <param name="length">How many bytes it has, 1 to 1048576; needed for a location, a name of a text has its own.</param>
    /// <param name="table">A text table of the property map; <c>ascii</c> of a location unless given.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    /// <exception cref="InvalidOperationException">The name is not that of a text.</exception>
    public async Task<string> ReadTextAsync(string place, int? length = null, string? table = null, CancellationToken cancellationToken = default) =>
        As<string>(place, await ValueAsync(place, "text", length is null ? null : "text", null, length, table, cancellationToken), "a text", nameof(ReadTextAsync));

    /// <summary>The values of up to 256 names, in one frame.</summary>
    /// <param name="names">The names.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    /// <returns>Numbers, texts and lists by name; <c>(long)values["player.hp"]!</c> is a number.</returns>
    public async Task<IReadOnlyDictionary<string, JsonNode?>> ReadAllAsync(IReadOnlyList<string> names, CancellationToken cancellationToken = default)
    {
        var answer = await ValuesReadManyAsync(names, cancellationToken);
        return answer.Values.ToDictionary(one => one.Name, one => one.Value);
    }

    /// <summary>Bytes of memory in one frame.</summary>
    /// <param name="location">Where, such as <c>0x02000000</c> or <c>wram:0x10</c>.</param>
    /// <param name="length">How many, 0 to 4194304.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public async Task<byte[]> ReadBytesAsync(string location, int length, CancellationToken cancellationToken = default) =>
        (await MemoryReadAsync(location, length, cancellationToken)).Bytes;

    /// <summary>Writes a number.</summary>
    /// <param name="place">A name or a location.</param>
    /// <param name="value">The number.</param>
    /// <param name="type">u8, s8, u16, s16, u32 or s32; u8 of a location unless given. A name has its own.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public Task WriteAsync(string place, long value, string? type = null, CancellationToken cancellationToken = default) =>
        WriteAsync(place, value, type ?? "u8", type, null, null, cancellationToken);

    /// <summary>Writes a text.</summary>
    /// <param name="place">A name or a location.</param>
    /// <param name="value">The text.</param>
    /// <param name="length">How many bytes it has, 1 to 1048576, the rest of which is padded; one for each letter at a location unless given. A name has its own.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public Task WriteAsync(string place, string value, int? length = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(value);
        return WriteAsync(place, value, "text", length is null ? null : "text", null, length ?? (IsLocation(place) ? value.Length : null), cancellationToken);
    }

    /// <summary>Writes numbers side by side.</summary>
    /// <param name="place">A name or a location.</param>
    /// <param name="values">The numbers.</param>
    /// <param name="type">u8, s8, u16, s16, u32 or s32; u8 of a location unless given. A name has its own.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public Task WriteAsync(string place, IReadOnlyList<long> values, string? type = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(values);
        return WriteAsync(place, new JsonArray([.. values.Select(value => (JsonNode)value)]), type ?? "u8", type, values.Count, null, cancellationToken);
    }

    /// <summary>Writes bytes.</summary>
    /// <param name="location">Where, such as <c>0x02000000</c> or <c>wram:0x10</c>.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public Task WriteBytesAsync(string location, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken = default) =>
        MemoryWriteAsync(location, bytes, cancellationToken: cancellationToken);

    /// <summary>The picture as a PNG.</summary>
    /// <param name="scale">Makes each pixel a square of this many, 1 to 8.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public Task<byte[]> ScreenAsync(int scale = 1, CancellationToken cancellationToken = default) => ScreenGetAsync(scale, cancellationToken: cancellationToken);

    /// <summary>The picture as pixels; in grey, or of a smaller size made from averages of areas (both with mgba-headless).</summary>
    /// <param name="grey">Whether as brightness instead of colours.</param>
    /// <param name="width">The width, 1 to 256; that of the console unless given.</param>
    /// <param name="height">The height, 1 to 256; that of the console unless given.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public async Task<Pixels> PixelsAsync(bool grey = false, int? width = null, int? height = null, CancellationToken cancellationToken = default)
    {
        var request = grey || width is not null || height is not null
            ? new Request("screen.pixels", HttpMethod.Get, "/v2/screen/pixels").Query("grey", grey).Query("width", width).Query("height", height)
            : new Request("screen.get", HttpMethod.Get, "/v2/screen").Query("format", "raw");
        var response = await SendAsync(request, cancellationToken);
        return new Pixels(response.Number("Mgba-Width"), response.Number("Mgba-Height"), grey ? 1 : 3, response.Bytes);
    }

    /// <summary>A save state, with the save data and without a picture.</summary>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public Task<byte[]> SaveAsync(CancellationToken cancellationToken = default) => StateGetAsync(cancellationToken: cancellationToken);

    /// <summary>Continues from a save state, its save data included.</summary>
    /// <param name="state">The state.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public Task LoadAsync(ReadOnlyMemory<byte> state, CancellationToken cancellationToken = default) =>
        StateLoadAsync(flags: AllOfAState, body: state, cancellationToken: cancellationToken);

    /// <summary>Continues from a state that the gateway keeps.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    public Task LoadAsync(string name, CancellationToken cancellationToken = default) => StatesLoadAsync(name, cancellationToken: cancellationToken);

    /// <summary>Waits for a condition, or without one for frames.</summary>
    /// <param name="condition">Such as <c>player.hp &lt; 10</c> or <c>u32 0x02000000 == 5</c>.</param>
    /// <param name="frames">For how many frames at most, 1 to 36000.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    /// <returns>Whether it held.</returns>
    public async Task<bool> WaitAsync(string? condition = null, int frames = 600, CancellationToken cancellationToken = default) =>
        (await WaitUntilAsync(condition: condition, frames: frames, cancellationToken: cancellationToken)).Met;

    /// <summary>
    /// Runs exactly so many frames with keys down, and reads numbers in the frame that was reached. The first step takes the lease: the game is stopped
    /// between steps, until the end. The lease is renewed meanwhile.
    /// </summary>
    /// <param name="frames">How many, 0 to 36000.</param>
    /// <param name="keys">The keys, such as <c>A+Up</c>; those of the step before unless given, an empty text is none.</param>
    /// <param name="reads">Locations with a type, such as <c>u16 0x02000000</c>; u8 without one.</param>
    /// <param name="cancellationToken">Ends the wait for the response.</param>
    /// <exception cref="ArgumentException">A read is not a location with a type.</exception>
    public async Task<StepAnswer> StepAsync(int frames = 1, string? keys = null, IReadOnlyList<string>? reads = null, CancellationToken cancellationToken = default)
    {
        var items = reads?.Select(ItemOf).ToList();
        await _stepping.WaitAsync(cancellationToken); // one at a time: a step that waits for another one is refused
        try
        {
            await TakeLeaseAsync(cancellationToken);
            var answer = await LeaseStepAsync(frames, keys is null ? null : KeysOf(keys), items: items, cancellationToken: cancellationToken);
            var values = answer.Results.Select(result => result.Value ?? throw new GatewayException(GatewayException.Failed, $"lease.step: {result.Detail}", mayHaveRun: true));
            return new StepAnswer(answer.Frame, answer.Epoch, [.. values]);
        }
        catch (Exception exception)
        {
            // a refused request changes nothing; after all else the lease may have ended
            _isLeased &= exception is GatewayException { Status: 400 or 404 or 412 };
            throw;
        }
        finally
        {
            _stepping.Release();
        }
    }

    /// <summary>The events of topics (docs/playing.md), from the first turn of the loop on. When the connection ends, the loop throws.</summary>
    /// <param name="topics">1 to 64, such as <c>frame</c>, <c>frame/60</c>, <c>keys</c> or <c>memory:0x02000000/4</c>.</param>
    public IAsyncEnumerable<GameEvent> EventsAsync(params string[] topics)
    {
        ArgumentNullException.ThrowIfNull(topics);
        return EventsOfAsync(new Request("events.stream", HttpMethod.Get, "/v2/events").Query("topics", string.Join(',', topics)));
    }

    /// <summary>Ends all loops over events, and gives lease and keys back.</summary>
    public virtual async ValueTask DisposeAsync()
    {
        if (_end.IsCancellationRequested)
        {
            return;
        }

        await _end.CancelAsync();
        _isLeased = false;
        await (_renewing ?? Task.CompletedTask);
        try
        {
            if (_renewing is not null) // it had a lease, and may have it after a failure, too
            {
                await LeaseReleaseAsync();
            }

            if (_holdsKeys)
            {
                await ReleaseAsync();
            }
        }
        catch (GatewayException)
        {
            // they end by themselves when the gateway does, and a lease after 10 s
        }

        GC.SuppressFinalize(this);
    }

    private protected override async Task<TAnswer> CallAsync<TAnswer>(Request request, JsonTypeInfo<TAnswer> type, CancellationToken cancellationToken)
    {
        var response = await SendAsync(request, cancellationToken);
        try
        {
            return JsonSerializer.Deserialize(response.Bytes, type) ?? throw new JsonException("null");
        }
        catch (JsonException exception)
        {
            throw _connection.NotAGateway("JSON that cannot be read", exception);
        }
    }

    private protected override async Task<byte[]> CallAsync(Request request, CancellationToken cancellationToken) => (await SendAsync(request, cancellationToken)).Bytes;

    private static string[] KeysOf(string keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        return keys.Split(['+', ' '], StringSplitOptions.RemoveEmptyEntries);
    }

    private static bool IsLocation(string place)
    {
        ArgumentNullException.ThrowIfNull(place);
        return Location().IsMatch(place);
    }

    /// <summary>The item of a step that reads a number, such as <c>u16 0x02000000</c>.</summary>
    private static LeaseStepItemsItem ItemOf(string place)
    {
        ArgumentNullException.ThrowIfNull(place);
        var words = place.Split(' ', StringSplitOptions.RemoveEmptyEntries).ToLookup(NumberTypes.Contains);
        return words[false].Count() == 1 && words[true].Count() <= 1 && Location().IsMatch(words[false].Single())
            ? new LeaseStepItemsItem { Read = new() { Location = words[false].Single(), Type = words[true].SingleOrDefault("u8") } }
            : throw new ArgumentException($"\"{place}\" is not a location with a type, such as \"u16 0x02000000\"; the types are {string.Join(", ", NumberTypes)}.", nameof(place));
    }

    private static T As<T>(string place, JsonNode? value, string wanted, string method) =>
        value is JsonValue one && one.TryGetValue<T>(out var found) ? found : throw NotOf(place, value, wanted, method);

    private static InvalidOperationException NotOf(string place, JsonNode? value, string wanted, string method)
    {
        var other = value switch
        {
            JsonArray => nameof(ReadListAsync),
            JsonValue one when one.GetValueKind() == JsonValueKind.String => nameof(ReadTextAsync),
            JsonValue => nameof(ReadAsync),
            _ => nameof(ReadAllAsync),
        };
        return new($"{place} is {value?.ToJsonString() ?? "null"} rather than {wanted}; use {other} instead of {method}.");
    }

    private async Task<JsonNode?> ValueAsync(
        string place, string typeOfLocation, string? typeOfName, int? count = null, int? length = null, string? table = null, CancellationToken cancellationToken = default) =>
        IsLocation(place)
            ? (await MemoryReadValueAsync(place, typeOfLocation, count, length: length, table: table, cancellationToken: cancellationToken)).Value
            : (await ValuesReadAsync(place, typeOfName, count, length: length, table: table, cancellationToken: cancellationToken)).Value;

    private Task WriteAsync(string place, JsonNode value, string typeOfLocation, string? typeOfName, int? count, int? length, CancellationToken cancellationToken) => IsLocation(place)
        ? MemoryWriteValueAsync(place, typeOfLocation, value, count, length: length, cancellationToken: cancellationToken)
        : ValuesWriteAsync(place, value, typeOfName, length: length, cancellationToken: cancellationToken);

    private async IAsyncEnumerable<GameEvent> EventsOfAsync(Request request, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _end.Token);
        using var response = await _connection.OpenAsync(_path, request, end.Token);
        await using var stream = await response.Content.ReadAsStreamAsync(end.Token);
        await using var events = SseParser.Create(stream, EventOf).EnumerateAsync(end.Token).GetAsyncEnumerator(end.Token);
        while (await NextAsync() is { } found)
        {
            yield return found;
            if (found.Name == "closed")
            {
                yield break; // the emulator was removed
            }
        }

        async Task<GameEvent?> NextAsync()
        {
            try
            {
                end.Token.ThrowIfCancellationRequested(); // also when more events have arrived
                return await events.MoveNextAsync()
                    ? events.Current.Data with { Id = events.Current.EventId }
                    : throw _connection.Ended(request.Operation, mayHaveRun: false, null);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                return null; // it was disposed of
            }
            catch (Exception exception) when (exception is HttpRequestException or IOException)
            {
                throw _connection.Ended(request.Operation, mayHaveRun: false, exception);
            }
            catch (JsonException exception)
            {
                throw _connection.NotAGateway("JSON that cannot be read", exception);
            }
        }
    }

    private static GameEvent EventOf(string name, ReadOnlySpan<byte> data) => name switch
    {
        "lost" => new GameEvent(name, null, NoValues) { Lost = (long?)JsonNode.Parse(data)?["lost"] ?? 0 },
        "closed" => new GameEvent(name, null, NoValues),
        _ => new GameEvent(name, null, JsonSerializer.Deserialize(data, OperationsJson.Default.EventAnswer) ?? throw new JsonException("null")),
    };

    private async Task<Response> SendAsync(Request request, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _pending);
        try
        {
            return await _connection.SendAsync(_path, request, cancellationToken);
        }
        finally
        {
            Volatile.Write(ref _usedAt, TimeProvider.System.GetTimestamp());
            Interlocked.Decrement(ref _pending);
        }
    }

    private async Task TakeLeaseAsync(CancellationToken cancellationToken)
    {
        if (!_isLeased)
        {
            await LeaseTakeAsync(LeaseMs, cancellationToken: cancellationToken);
            _isLeased = _isRenewed = true;
            _renewing ??= RenewAsync();
        }
    }

    private async Task RenewAsync()
    {
        using var timer = new PeriodicTimer(RenewAfter);
        try
        {
            while (await timer.WaitForNextTickAsync(_end.Token))
            {
                if (_isLeased && _isRenewed && Volatile.Read(ref _pending) == 0 && TimeProvider.System.GetElapsedTime(Volatile.Read(ref _usedAt)) >= RenewAfter)
                {
                    await RenewOnceAsync();
                }
            }
        }
        catch (OperationCanceledException)
        {
            // it was disposed of
        }

        async Task RenewOnceAsync()
        {
            try
            {
                await LeaseStepAsync(0, cancellationToken: _end.Token);
            }
            catch (GatewayException)
            {
                _isRenewed = false; // the next step says why
            }
        }
    }

    [GeneratedRegex(@"^(0[xX][0-9a-fA-F]+|\d+|\w+:(0[xX][0-9a-fA-F]+|\d+))\z", RegexOptions.CultureInvariant)]
    private static partial Regex Location();

    [GeneratedRegex(@"\d+", RegexOptions.CultureInvariant)]
    private static partial Regex Numbers();
}

/// <summary>The bytes of a picture, row by row.</summary>
/// <param name="Width">Pixels in a row.</param>
/// <param name="Height">Rows.</param>
/// <param name="Channels">3: red, green and blue; 1: brightness.</param>
/// <param name="Data">The bytes.</param>
public sealed record Pixels(int Width, int Height, int Channels, byte[] Data);

/// <summary>What a step reached.</summary>
/// <param name="Frame">The frame.</param>
/// <param name="Epoch">Changes when the script or the game changes.</param>
/// <param name="Values">The numbers that were read in it.</param>
public sealed record StepAnswer(long Frame, string Epoch, IReadOnlyList<long> Values);
