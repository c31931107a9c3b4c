using System.Diagnostics;
using System.Globalization;
using System.Text;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Mcp.Server;
using MgbaBridge.Gateway.Supervision;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>What <c>mgba-bridge run</c> prints when requests are answered: the addresses. It opens the page where somebody looks at a desktop.</summary>
internal sealed class RunAnnouncement(IServer server, Supervisor supervisor, DataFolder data, HttpOptions http, IConfiguration configuration, IServiceProvider services) : IHostedLifecycleService
{
    /// <summary>The configuration key that turns it on.</summary>
    public const string Key = "Run:Announce";

    /// <summary>Its value to open a browser as well.</summary>
    public const string WithBrowser = "browser";

    private const string ReadyFile = "READY_FILE";

    /// <summary>Adds it if the configuration says so.</summary>
    public static void AddTo(WebApplicationBuilder builder)
    {
        if (!string.IsNullOrEmpty(builder.Configuration[Key]))
        {
            builder.Services.AddHostedService<RunAnnouncement>();
        }
    }

    /// <summary>Whether the program chooses its port: <c>run</c> or <c>mcp</c> started it, and no setting names another port than the default.</summary>
    public static bool ChoosesPort(IConfiguration configuration, BridgeOptions options) =>
        !(string.IsNullOrEmpty(configuration[Key]) && string.IsNullOrEmpty(configuration[StdioHost.Key])) && options.HttpPort == FirstFreePort.First;

    /// <inheritdoc/>
    public async Task StartedAsync(CancellationToken cancellationToken)
    {
        var address = server.Features.Get<IServerAddressesFeature>()?.Addresses.FirstOrDefault() ?? "";
        if (services.GetService<FirstFreePort>()?.Note is { } note)
        {
            await Console.Out.WriteLineAsync(note);
        }

        await Console.Out.WriteLineAsync(TextFor(address));
        if (Environment.GetEnvironmentVariable(ReadyFile) is { Length: > 0 } file)
        {
            DataFolder.WriteAtomically(file, Encoding.UTF8.GetBytes(ReadyText(address)));
        }

        if (configuration[Key] == WithBrowser && IsDesktop())
        {
            OpenBrowser($"{Local(address)}/");
        }
    }

    /// <inheritdoc/>
    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StoppedAsync(CancellationToken cancellationToken) => Console.Out.WriteLineAsync("Ended.");

    private string TextFor(string address)
    {
        var text = new StringBuilder().AppendLine("mGBA-bridge is ready.").AppendLine()
            .AppendLine(CultureInfo.InvariantCulture, $"  HTTP     {address}").AppendLine(CultureInfo.InvariantCulture, $"  page     {Local(address)}/");
        foreach (var emulator in supervisor.All)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"  game     {emulator.Request.Rom} (emulator {emulator.Client.Id}, script 127.0.0.1:{emulator.Port})");
            if (emulator.Status.NextStep is { } step)
            {
                text.AppendLine(CultureInfo.InvariantCulture, $"           {step}");
            }
        }

        var token = string.IsNullOrEmpty(http.Token) ? "" : "-H \"Authorization: Bearer $Bridge__Http__Token\" ";
        return text.AppendLine(CultureInfo.InvariantCulture, $"  data     {data.Path}").AppendLine()
            .AppendLine(CultureInfo.InvariantCulture, $"Try:       curl {token}'{Local(address)}/mgbaendpoint?message=hello'")
            .Append("End:       Ctrl-C saves the games and ends everything").ToString();
    }

    // an address of all interfaces cannot be opened in a browser on every system
    private static string Local(string address) => address.Replace("://0.0.0.0:", "://127.0.0.1:", StringComparison.Ordinal).Replace("://[::]:", "://localhost:", StringComparison.Ordinal);

    private string ReadyText(string address)
    {
        var first = supervisor.All is [var one, ..] ? one : null;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"BASE_URL={address}\nLUA_PORT={first?.Port}\nEMULATOR_PID={first?.Status.ProcessId}\nGATEWAY_PID={Environment.ProcessId}\nRUN_FOLDER={data.Path}\n");
    }

    private static bool IsDesktop() => !Console.IsOutputRedirected && (!OperatingSystem.IsLinux()
        || !string.IsNullOrEmpty(Environment.GetEnvironmentVariable("DISPLAY")) || !string.IsNullOrEmpty(Environment.GetEnvironmentVariable("WAYLAND_DISPLAY")));

    // without a browser the address stays on the screen
    private static void OpenBrowser(string address)
    {
        try
        {
            using var browser = OperatingSystem.IsWindows()
                ? Process.Start(new ProcessStartInfo(address) { UseShellExecute = true })
                : Process.Start(new ProcessStartInfo(OperatingSystem.IsMacOS() ? "open" : "xdg-open", [address]) { RedirectStandardOutput = true, RedirectStandardError = true });
        }
        catch (Exception exception) when (exception is System.ComponentModel.Win32Exception or InvalidOperationException or PlatformNotSupportedException)
        {
        }
    }
}
