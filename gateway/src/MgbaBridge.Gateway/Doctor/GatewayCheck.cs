using System.Globalization;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Net;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Doctor;

/// <summary>Checks where the gateway listens, and the gateway that runs there.</summary>
/// <param name="url">Where it listens.</param>
/// <param name="token">Its token, or null.</param>
/// <param name="version">The version of this program.</param>
/// <param name="isChosen">Whether the user named the URL of a gateway that runs. Otherwise it is where this program would listen.</param>
internal sealed class GatewayCheck(Uri url, string? token, Version version, bool isChosen) : IDisposable
{
    private const string Http = "http";
    private const string Gateway = "gateway";
    private const string OtherPort = "Listen at a free port";
    private const string OtherUrl = "Correct --url or MGBA_BRIDGE_URL";

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(15); // the first API document takes a while

    private readonly HttpMessageInvoker _http = new(new SocketsHttpHandler { UseProxy = false, AllowAutoRedirect = false, ConnectTimeout = TimeSpan.FromSeconds(3) });

    /// <summary>Whether a gateway runs.</summary>
    public bool IsRunning { get; private set; }

    /// <summary>Whether a gateway runs and an emulator of it is connected, or it does not say so without a token.</summary>
    public bool MayHaveEmulator { get; private set; }

    /// <summary>Where it listens.</summary>
    public string Address => url.GetLeftPart(UriPartial.Authority);

    /// <summary>Performs the check.</summary>
    public async Task<IReadOnlyList<Finding>> RunAsync(CancellationToken cancellationToken)
    {
        if (url.Port == 0)
        {
            return [Finding.Ok(Http, "the gateway takes any free port.")];
        }

        if (isChosen)
        {
            return await SendAsync(cancellationToken);
        }

        if (BindFailure() is not { } failure)
        {
            return [Finding.Ok(Http, $"port {Port} is free.")];
        }

        return failure switch
        {
            SocketError.AddressAlreadyInUse => await SendAsync(cancellationToken),
            SocketError.AccessDenied => [Finding.Problem(Http, $"port {Port} requires privileges that this user does not have.", OtherPort).By(ServeElsewhere)],
            _ => [Finding.Problem(Http, $"the gateway cannot listen at {url.Authority} ({failure}).", "Listen at an address of this machine").By(TypedProgram.Command($"serve --urls {ServiceRegistration.DefaultUrl(new BridgeOptions())}"))],
        };
    }

    public void Dispose() => _http.Dispose();

    private string Program => Address == ServiceRegistration.DefaultUrl(new BridgeOptions()) ? TypedProgram.Name : $"{TypedProgram.Name} --url {Address}";

    // the first port that is free now, from the one behind it on
    private string ServeElsewhere => TypedProgram.Command(string.Create(CultureInfo.InvariantCulture, $"serve --http-port {Enumerable.Range(Math.Max(url.Port + 1, 1024), 100).FirstOrDefault(EmulatorLauncher.IsFree, 5001)}"));

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

    private async Task<IReadOnlyList<Finding>> SendAsync(CancellationToken cancellationToken)
    {
        var owner = ProcessLookup.Listener(url.Port);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(Timeout);
        try
        {
            using var response = await SendAsync("/openapi/v1.json", limit.Token);
            if (response.StatusCode is HttpStatusCode.Unauthorized or HttpStatusCode.TooManyRequests && await IsProblemAsync(response, limit.Token))
            {
                IsRunning = MayHaveEmulator = true;
                return [TokenProblem(response)];
            }

            if (response.Headers.Server.ToString().StartsWith("AirTunes", StringComparison.OrdinalIgnoreCase))
            {
                return [Finding.Problem(Http, $"port {Port} is used by the AirPlay Receiver of macOS (System Settings > General > AirDrop & Handoff).", OtherPort).By(ServeElsewhere)];
            }

            using var document = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync(limit.Token));
            if (document.RootElement.GetProperty("info") is var info && info.GetProperty("title").GetString() == "mGBA-bridge")
            {
                IsRunning = true;
                return [VersionOf(info.GetProperty("version").GetString()), .. await EmulatorsAsync(limit.Token)];
            }
        }
        catch (HttpRequestException exception) when (exception.HttpRequestError is HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError)
        {
            return [Finding.Problem(Gateway, $"no gateway is reachable at {Address}.", $"{OtherUrl}, or start a gateway there").By(TypedProgram.Command($"run --port {Port}"))];
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            var silent = $"what listens at {Address} has not responded for {Timeout.TotalSeconds} s{By(owner)}: another program, or a gateway that is busy or stopped.";
            return [isChosen ? Finding.Problem(Gateway, silent, $"{OtherUrl}, or restart it.") : Finding.Problem(Gateway, silent, OtherPort).By(ServeElsewhere)];
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException or JsonException or InvalidOperationException or KeyNotFoundException)
        {
            // it is not a gateway
        }

        return [isChosen
            ? Finding.Problem(Gateway, $"what answers at {Address} is not an mGBA-bridge gateway{By(owner)}.", $"{OtherUrl}.")
            : Finding.Problem(Http, $"port {Port} is used by another program{By(owner)}.", OtherPort).By(ServeElsewhere)];
    }

    // a problem document of mGBA-bridge: other servers ask for a token as well
    private static async Task<bool> IsProblemAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        using var document = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync(cancellationToken));
        return document.RootElement.GetProperty("type").GetString()!.StartsWith(FailureRule.TypeOf(""), StringComparison.Ordinal);
    }

    private Finding TokenProblem(HttpResponseMessage response) =>
        response.StatusCode is HttpStatusCode.TooManyRequests
            ? Finding.Problem(Gateway, $"the gateway at {Address} got too many wrong tokens from this machine.", "Correct the tokens of its clients, wait a second, and run doctor again.")
            : token is null
            ? Finding.Problem(Gateway, $"the gateway at {Address} requires a token.", "Run doctor with a token of the gateway, here or in MGBA_BRIDGE_TOKEN").By(WithToken)
            : Finding.Problem(Gateway, $"the gateway at {Address} does not accept the token.", "Run doctor with a token in the gateway's settings; `mgba-bridge token` makes a new one for them").By(WithToken);

    private string WithToken => TypedProgram.Command($"doctor --url {Address} --token TOKEN");

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
        var described = $"gateway {text} runs at {Address}";
        return running.CompareTo(version) switch
        {
            < 0 => Finding.Warning(Gateway, $"{described}; this program is {version}.", "Restart the gateway with this program").By(TypedProgram.Command("serve")),
            > 0 => Finding.Warning(Gateway, $"{described}; this program is {version}.", $"Update this program to {text}."),
            _ => Finding.Ok(Gateway, $"{described}."),
        };
    }

    // the emulators as the running gateway sees them: its settings may differ from those of this command
    private async Task<IReadOnlyList<Finding>> EmulatorsAsync(CancellationToken cancellationToken)
    {
        using var response = await SendAsync("/v2/emulators", cancellationToken);
        using var document = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync(cancellationToken));
        var emulators = document.RootElement.EnumerateArray().ToArray();
        MayHaveEmulator = emulators.Any(static emulator => StateOf(emulator) is not (EmulatorState.Connecting or EmulatorState.ScriptMissing or EmulatorState.OtherProgram));
        return emulators.Length > 0 ? [.. emulators.Select(FindingOf)] : [Finding.Problem(Gateway, "the running gateway has no emulator.", ScriptSearch.Load).By(ScriptSearch.WriteScript)];
    }

    private static EmulatorState StateOf(JsonElement emulator) =>
        Enum.Parse<EmulatorState>(emulator.GetProperty("state").GetString()!.Replace("-", "", StringComparison.Ordinal), ignoreCase: true);

    private Finding FindingOf(JsonElement emulator)
    {
        var id = emulator.GetProperty("id").GetString();
        var text = $"emulator {id} of the running gateway: {emulator.GetProperty("state").GetString()}{(emulator.TryGetProperty("detail", out var detail) ? $". {detail.GetString()}" : ".")}";
        return StateOf(emulator) switch
        {
            EmulatorState.Ready or EmulatorState.Leased => Finding.Ok(Gateway, text),
            EmulatorState.Paused when emulator.TryGetProperty("process", out _) => Finding.Problem(Gateway, text, "Resume it").By($"{Program} emulators run {id} --paused false"),
            EmulatorState.Paused => Finding.Problem(Gateway, text, ScriptCheck.Resume),
            EmulatorState.Halted => Finding.Problem(Gateway, text, "Let it run, or end the debugger").By($"{Program} debug continue --emulator {id}"),
            EmulatorState.Stopped or EmulatorState.Crashed => Finding.Problem(Gateway, text, "Reset the game").By($"{Program} reset --emulator {id}"),
            EmulatorState.Connecting or EmulatorState.ScriptMissing or EmulatorState.WrongVersion or EmulatorState.OtherProgram => Finding.Problem(Gateway, text, ScriptSearch.Load).By(ScriptSearch.WriteScript),
            EmulatorState.Silent => Finding.Problem(Gateway, text, ScriptCheck.RunFrames),
            EmulatorState.NoGame => Finding.Problem(Gateway, text, ScriptCheck.GameContext),
            _ => Finding.Problem(Gateway, text, "Compare the settings of the running gateway with those of this command."),
        };
    }
}
