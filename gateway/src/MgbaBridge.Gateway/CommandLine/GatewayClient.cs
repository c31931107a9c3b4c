using System.CommandLine;
using System.Net.Http.Headers;
using System.Text.Json;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.LoopbackHttp;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary>Sends the requests of a verb to a running gateway.</summary>
internal sealed class GatewayClient : IDisposable
{
    private const string DefaultUrl = "http://127.0.0.1:5000";

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
    };

    private readonly Uri _url;
    private readonly AuthenticationHeaderValue? _token;
    private readonly string _prefix;
    private readonly HttpMessageInvoker _http;

    /// <summary>The token in the environment, or null.</summary>
    public static string? TokenVariable => Variable("MGBA_BRIDGE_TOKEN");

    /// <summary>A client with the options of a command line.</summary>
    public GatewayClient(ParseResult result)
    {
        (_url, _token, _) = AddressOf(result);
        _http = LoopbackHandler.For(_url) is { } local ? new HttpMessageInvoker(local) : InvokerForOtherMachines();
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
    /// <param name="prepare">Sets further headers.</param>
    /// <exception cref="VerbException">The gateway is not reachable or refuses the request.</exception>
    public async Task<HttpResponseMessage> SendAsync(string method, string path, HttpContent? content = null, Action<HttpRequestHeaders>? prepare = null)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), new Uri(_url, _prefix + path)) { Content = content };
        request.Headers.Authorization = _token;
        prepare?.Invoke(request.Headers);
        HttpResponseMessage response;
        try
        {
            response = await _http.SendAsync(request, CancellationToken.None);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException or OperationCanceledException)
        {
            throw NotReachable(exception);
        }

        if (response.IsSuccessStatusCode)
        {
            return response;
        }

        using (response)
        {
            throw await RefusalAsync(response);
        }
    }

    /// <summary>Sends a request and reads the JSON of the response.</summary>
    public async Task<JsonElement> GetJsonAsync(string path)
    {
        using var response = await SendAsync(HttpMethods.Get, path);
        return await ReadJsonAsync(response);
    }

    /// <summary>Reads the JSON of a response.</summary>
    public async Task<JsonElement> ReadJsonAsync(HttpResponseMessage response)
    {
        try
        {
            using var document = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync());
            return document.RootElement.Clone();
        }
        catch (JsonException)
        {
            throw new VerbException(ExitCodes.NotReachable, $"What answers at {_url} is not an mGBA-bridge gateway: the response is not JSON.");
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException)
        {
            throw NotReachable(exception);
        }
    }

    /// <summary>The exception for a connection that cannot be opened, or ends in the middle of a response.</summary>
    public VerbException NotReachable(Exception exception) => new(ExitCodes.NotReachable,
        $"No gateway is reachable at {_url}: {Reason(exception)}. Start one with `mgba-bridge serve`, or set --url or MGBA_BRIDGE_URL.");

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    // a method of its own, so that its types are only loaded when they are needed
    private static HttpMessageInvoker InvokerForOtherMachines() => new(new SocketsHttpHandler
    {
        UseProxy = false,
        UseCookies = false,
        AllowAutoRedirect = false,
        ConnectTimeout = TimeSpan.FromSeconds(5),
    });

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
            if (problem.ValueKind == JsonValueKind.Object && problem.TryGetProperty("detail", out var detail) && detail.GetString() is { } sentence)
            {
                return new VerbException(ExitCodes.Refused, Display.Plain(sentence));
            }
        }

        return new VerbException(ExitCodes.NotReachable,
            $"What answers at {_url} is not an mGBA-bridge gateway of this version: it answered with status {(int)response.StatusCode} and no explanation.");
    }

    private static string? Variable(string name) => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : null;
}
