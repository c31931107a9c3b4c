using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text.Json;

namespace MgbaBridge.Gateway.Doctor;

/// <summary>Checks where the gateway listens, and the gateway that runs there.</summary>
/// <param name="url">Where it listens.</param>
/// <param name="token">Its token, or null.</param>
/// <param name="version">The version of this program.</param>
/// <param name="isElsewhere">Whether it is only asked: this machine is not to listen there.</param>
internal sealed class GatewayCheck(Uri url, string? token, Version version, bool isElsewhere) : IDisposable
{
    private const string Http = "http";
    private const string Gateway = "gateway";
    private const string OtherPort = "Choose a free port: mgba-bridge serve --http-port PORT.";

    private readonly HttpMessageInvoker _http = new(new SocketsHttpHandler { UseProxy = false, AllowAutoRedirect = false, ConnectTimeout = TimeSpan.FromSeconds(3) });

    /// <summary>Whether a gateway runs and an emulator of it answers, or it does not say so without a token.</summary>
    public bool MayHaveReadyEmulator { get; private set; }

    /// <summary>Performs the check.</summary>
    public async Task<IReadOnlyList<Finding>> RunAsync(CancellationToken cancellationToken)
    {
        if (url.Port == 0)
        {
            return [Finding.Ok(Http, "the gateway takes any free port.")];
        }

        if (isElsewhere)
        {
            return await AskAsync(cancellationToken);
        }

        if (BindFailure() is not { } failure)
        {
            return
            [
                Finding.Ok(Http, $"port {Port} is free."),
                Finding.Warning(Gateway, $"no gateway runs at {url.GetLeftPart(UriPartial.Authority)}.", "Start the gateway: mgba-bridge serve."),
            ];
        }

        return failure switch
        {
            SocketError.AddressAlreadyInUse => await AskAsync(cancellationToken),
            SocketError.AccessDenied => [Finding.Problem(Http, $"port {Port} requires privileges that this user does not have.", "Choose a port from 1024 on: mgba-bridge serve --http-port PORT.")],
            _ => [Finding.Problem(Http, $"the gateway cannot listen at {url.Authority} ({failure}).", "Choose an address of this machine: mgba-bridge serve --urls http://127.0.0.1:5000.")],
        };
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private string Port => url.Port.ToString(CultureInfo.InvariantCulture);

    private SocketError? BindFailure()
    {
        var address = IPAddress.TryParse(url.Host.Trim('[', ']'), out var numeric) ? numeric : url.IsLoopback ? IPAddress.Loopback : IPAddress.Any;
        using var listener = new TcpListener(address, url.Port);
        try
        {
            listener.Start();
            return null;
        }
        catch (SocketException exception)
        {
            return exception.SocketErrorCode;
        }
    }

    private async Task<IReadOnlyList<Finding>> AskAsync(CancellationToken cancellationToken)
    {
        var owner = ProcessLookup.Listener(url.Port);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(TimeSpan.FromSeconds(15)); // the first API document takes a while
        try
        {
            using var response = await SendAsync("/openapi/v1.json", limit.Token);
            if (response.StatusCode is HttpStatusCode.Unauthorized)
            {
                MayHaveReadyEmulator = true;
                return [Finding.Warning(Gateway, $"the program at {url.Authority} requires a token{By(owner)}.", "Set MGBA_BRIDGE_TOKEN, or Bridge:Http:Token (Bridge__Http__Token), to a token of the gateway and run doctor again.")];
            }

            if (response.Headers.Server.ToString().StartsWith("AirTunes", StringComparison.OrdinalIgnoreCase))
            {
                return [Finding.Problem(Http, $"port {Port} is used by the AirPlay Receiver of macOS.", $"{OtherPort} Or turn off AirPlay Receiver in System Settings > General > AirDrop & Handoff.")];
            }

            using var document = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync(limit.Token));
            if (document.RootElement.GetProperty("info") is var info && info.GetProperty("title").GetString() == "mGBA-bridge")
            {
                return [VersionOf(info.GetProperty("version").GetString()), .. await EmulatorsAsync(limit.Token)];
            }
        }
        catch (HttpRequestException exception) when (exception.HttpRequestError is HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError)
        {
            return [Finding.Warning(Gateway, $"no gateway is reachable at {url.GetLeftPart(UriPartial.Authority)}.", "Start the gateway, or correct --url or MGBA_BRIDGE_URL.")];
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException or OperationCanceledException or JsonException or InvalidOperationException or KeyNotFoundException)
        {
            cancellationToken.ThrowIfCancellationRequested(); // otherwise it is not a gateway
        }

        return [Finding.Problem(Http, $"port {Port} is used by another program{By(owner)}.", OtherPort)];
    }

    private static string By(ListeningProcess? owner) => owner is null ? "" : $": {owner}";

    private Task<HttpResponseMessage> SendAsync(string path, CancellationToken cancellationToken)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, new Uri(url, path));
        request.Headers.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);
        return _http.SendAsync(request, cancellationToken);
    }

    private Finding VersionOf(string? text)
    {
        var running = Version.TryParse(text, out var parsed) ? parsed : new Version();
        var described = $"gateway {text} runs at {url.GetLeftPart(UriPartial.Authority)}";
        return running.CompareTo(version) switch
        {
            < 0 => Finding.Warning(Gateway, $"{described}; this program is {version}.", "Restart the gateway with this program."),
            > 0 => Finding.Warning(Gateway, $"{described}; this program is {version}.", $"Update this program to {text}."),
            _ => Finding.Ok(Gateway, $"{described}."),
        };
    }

    // the emulators as the running gateway sees them: its settings may differ from those of this command
    private async Task<IReadOnlyList<Finding>> EmulatorsAsync(CancellationToken cancellationToken)
    {
        using var response = await SendAsync("/v2/emulators", cancellationToken);
        using var document = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync(cancellationToken));
        MayHaveReadyEmulator = document.RootElement.EnumerateArray().Any(static emulator => emulator.GetProperty("state").GetString() == "ready");
        return [.. document.RootElement.EnumerateArray().Select(static emulator =>
        {
            var text = $"emulator {emulator.GetProperty("id").GetString()} of the running gateway: {emulator.GetProperty("state").GetString()}";
            return emulator.TryGetProperty("detail", out var detail) && detail.GetString() is { } sentence
                ? Finding.Warning(Gateway, $"{text}. {sentence}", "Compare the settings of the running gateway with those of this command.")
                : Finding.Ok(Gateway, $"{text}.");
        })];
    }
}
