using System.CommandLine;
using System.Net.Http.Headers;
using System.Net.Mime;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>Sends the requests of a verb to a running gateway.</summary>
internal sealed class GatewayClient : IDisposable
{
    private static readonly string DefaultUrl = ServiceRegistration.DefaultUrl(new BridgeOptions());

    // a response that is kept in memory as a whole
    private const int MaxAnswer = 256 * 1024 * 1024;

    private static readonly Option<string> UrlOption = new("--url")
    {
        HelpName = "URL",
        Description = $"The gateway; default MGBA_BRIDGE_URL, or {DefaultUrl}",
    };

    private static readonly Option<string> TokenOption = new("--token")
    {
        HelpName = "TOKEN",
        Description = "A token of the gateway; default MGBA_BRIDGE_TOKEN",
    };

    private static readonly Option<string> EmulatorOption = new("--emulator")
    {
        HelpName = "ID",
        Description = "The emulator, as `mgba-bridge emulators` lists it; default the first",
        CompletionSources = { Completions.Emulators },
    };

    private readonly Uri _url;
    private readonly AuthenticationHeaderValue? _token;
    private readonly string _prefix;
    private readonly HttpMessageInvoker _http;
    private readonly SilenceLimit _silence;

    /// <summary>The token in the environment, or null.</summary>
    public static string? TokenVariable => Variable("MGBA_BRIDGE_TOKEN");

    /// <summary>A client with the options of a command line.</summary>
    public GatewayClient(ParseResult result)
    {
        (_url, _token, _) = AddressOf(result);
        _http = new HttpMessageInvoker(new SocketsHttpHandler
        {
            UseProxy = false,
            UseCookies = false,
            AllowAutoRedirect = false,
            ConnectTimeout = TimeSpan.FromSeconds(5),
        });
        _silence = new SilenceLimit(_http, _url, SilenceLimit.Default, SilenceLimit.Default);
        var emulator = result.GetResult(EmulatorOption) is null ? null : result.GetValue(EmulatorOption);
        _prefix = emulator is null ? ""
            : emulator.Length == 0 ? throw VerbException.WrongUsage("--emulator is empty; expected an id, as `mgba-bridge emulators` lists it.")
            : $"/i/{Uri.EscapeDataString(emulator)}";
    }

    /// <summary>Adds the options that every verb of a client has.</summary>
    public static void AddOptionsTo(Command command, bool isPerEmulator = true)
    {
        if (isPerEmulator)
        {
            command.Add(EmulatorOption);
        }

        AddAddressTo(command);
        Display.AddOptionsTo(command);
    }

    /// <summary>The option of all verbs of a client that an argument names, or null.</summary>
    public static Option? OptionOf(string argument) =>
        new Option[] { UrlOption, TokenOption, EmulatorOption, Display.JsonOption }.FirstOrDefault(option => option.Name == argument.Split('=', 2)[0]);

    /// <summary>Adds the options that name the gateway.</summary>
    public static void AddAddressTo(Command command)
    {
        command.Add(UrlOption);
        command.Add(TokenOption);
    }

    /// <summary>The gateway and its token, and whether the user has chosen the gateway.</summary>
    public static (Uri Url, AuthenticationHeaderValue? Token, bool IsChosen) AddressOf(ParseResult result)
    {
        var chosen = result.GetValue(UrlOption) ?? Variable("MGBA_BRIDGE_URL");
        var url = Uri.TryCreate(chosen ?? DefaultUrl, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https"
            ? uri
            : throw VerbException.WrongUsage($"The gateway's URL is \"{chosen}\"; expected an http or https URL, such as {DefaultUrl}.");
        var token = result.GetValue(TokenOption) ?? TokenVariable;
        var header = token is null ? null : token.All(letter => letter is > ' ' and < '\x7f')
            ? new AuthenticationHeaderValue("Bearer", token)
            : throw VerbException.WrongUsage("The token is not valid; expected visible ASCII characters.");
        return (url, header, chosen is not null);
    }

    /// <summary>Sends a request. The response is a success.</summary>
    /// <param name="method">The HTTP method.</param>
    /// <param name="path">The path and query.</param>
    /// <param name="content">The body, or null.</param>
    /// <param name="types">The media types that a gateway may answer with; null for any.</param>
    /// <param name="prepare">Sets further headers.</param>
    /// <exception cref="VerbException">The gateway is not reachable or refuses the request.</exception>
    public async Task<HttpResponseMessage> SendAsync(string method, string path, HttpContent? content = null, IReadOnlyList<string>? types = null, Action<HttpRequestHeaders>? prepare = null)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(_url, _prefix + path)) { Content = content };
        request.Headers.Authorization = _token;
        prepare?.Invoke(request.Headers);
        var response = await ReceiveAsync(stopping => _http.SendAsync(request, stopping), CancellationToken.None);
        var type = response.Content.Headers.ContentType?.MediaType;
        if (response.IsSuccessStatusCode && (types is not { Count: > 0 } || types.Contains(type, StringComparer.OrdinalIgnoreCase)))
        {
            return response;
        }

        using (response)
        {
            if (response.IsSuccessStatusCode)
            {
                throw NotAGateway($"the response is {(type is null ? "of no type" : Display.Plain(type))}, not {string.Join(" or ", types!)}");
            }

            throw await RefusalAsync(response);
        }
    }

    /// <summary>Sends a request and reads the JSON of the response.</summary>
    /// <param name="path">The path and query.</param>
    /// <param name="kind">What it is; a list is one of objects.</param>
    public async Task<JsonElement> GetJsonAsync(string path, JsonValueKind kind)
    {
        using var response = await SendAsync(HttpMethods.Get, path);
        var answer = await ReadJsonAsync(response);
        return (kind == JsonValueKind.Array ? IsListOfObjects(answer) : answer.ValueKind == kind)
            ? answer
            : throw NotAGateway($"the response to {path} is not {(kind == JsonValueKind.Array ? "a list of objects" : "an object")}");
    }

    /// <summary>Sends a JSON body and reads the JSON of the response.</summary>
    public async Task<JsonElement> SendJsonAsync(string method, string path, JsonNode body)
    {
        using var content = new StringContent(body.ToJsonString(), Encoding.UTF8, MediaTypeNames.Application.Json);
        using var response = await SendAsync(method, path, content);
        return await ReadJsonAsync(response);
    }

    /// <summary>Whether a value is a list of objects.</summary>
    public static bool IsListOfObjects(JsonElement value) =>
        value.ValueKind == JsonValueKind.Array && value.EnumerateArray().All(static item => item.ValueKind == JsonValueKind.Object);

    /// <summary>The bytes of a response.</summary>
    public Task<byte[]> ReadBytesAsync(HttpResponseMessage response) => ReceiveAsync(
        async stopping =>
        {
            try
            {
                await response.Content.LoadIntoBufferAsync(MaxAnswer, stopping);
                return await response.Content.ReadAsByteArrayAsync(stopping);
            }
            catch (HttpRequestException exception) when (exception.HttpRequestError == HttpRequestError.ConfigurationLimitExceeded)
            {
                throw NotAGateway($"the response has more than {MaxAnswer} bytes");
            }
        },
        CancellationToken.None);

    /// <summary>Waits for what the gateway sends.</summary>
    /// <exception cref="VerbException">The gateway is not reachable, or does not answer.</exception>
    public async Task<T> ReceiveAsync<T>(Func<CancellationToken, Task<T>> receive, CancellationToken cancelled)
    {
        try
        {
            return await _silence.WaitAsync(receive, cancelled);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException
            || (exception is OperationCanceledException && !cancelled.IsCancellationRequested))
        {
            throw NotReachable(exception);
        }
    }

    /// <summary>Reads the JSON of a response: an object with properties, or a list.</summary>
    public async Task<JsonElement> ReadJsonAsync(HttpResponseMessage response)
    {
        try
        {
            using var document = JsonDocument.Parse(await ReadBytesAsync(response));
            var root = document.RootElement;
            return root.ValueKind == JsonValueKind.Array || (root.ValueKind == JsonValueKind.Object && root.GetPropertyCount() > 0)
                ? root.Clone()
                : throw NotAGateway("the response is neither an object with properties nor a list");
        }
        catch (JsonException)
        {
            throw NotAGateway("the response is not JSON");
        }
    }

    /// <summary>The exception for a response that no gateway of this version sends.</summary>
    public VerbException NotAGateway(string reason) => new(ExitCodes.NotReachable,
        $"What answers at {_url} is not an mGBA-bridge gateway of this version: {reason}. Set --url or MGBA_BRIDGE_URL to the gateway.");

    /// <summary>The exception for a connection that cannot be opened, or ends in the middle of a response.</summary>
    public VerbException NotReachable(Exception exception) => new(ExitCodes.NotReachable,
        $"No gateway is reachable at {_url}: {Reason(exception)}. Start one with `mgba-bridge run`, or set --url or MGBA_BRIDGE_URL.");

    public void Dispose() => _http.Dispose();

    private static string Reason(Exception exception) => exception switch
    {
        OperationCanceledException => "no connection within 5 s",
        { InnerException: { } inner } => Display.Plain(inner.Message.TrimEnd('.')),
        _ => Display.Plain(exception.Message.TrimEnd('.')),
    };

    private async Task<VerbException> RefusalAsync(HttpResponseMessage response)
    {
        if (response.Content.Headers.ContentType?.MediaType is { } type && type.EndsWith("json", StringComparison.Ordinal))
        {
            var problem = await ReadJsonAsync(response);
            if (problem.ValueKind == JsonValueKind.Object && problem.TryGetProperty("detail", out var detail)
                && detail.ValueKind == JsonValueKind.String && detail.GetString() is { } sentence)
            {
                return new VerbException(ExitCodes.Refused, Display.Plain(WithVerb(sentence, problem)) + OtherVersion(problem));
            }
        }

        return NotAGateway($"it answered with status {(int)response.StatusCode} and no explanation");
    }

    // what HTTP calls by its path has a verb here
    private static string WithVerb(string sentence, JsonElement problem) =>
        problem.TryGetProperty("next", out var next) && next.ValueKind == JsonValueKind.String && OperationCatalog.All.FirstOrDefault(operation => next.ValueEquals(operation.Name)) is { } operation
            ? sentence.Replace($"{operation.Method} {operation.Path}", $"mgba-bridge {OperationVerbs.Path(operation.Name)}", StringComparison.Ordinal)
            : sentence;

    private static string OtherVersion(JsonElement problem) =>
        problem.TryGetProperty("type", out var type) && type.ValueKind == JsonValueKind.String && type.GetString() == FailureRule.TypeOf("no-such-path")
            ? $" The gateway has another version than this program, {VersionVerb.Number}. Update the older one, and restart the gateway."
            : "";

    private static string? Variable(string name) => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : null;
}
