using System.Diagnostics;
using System.Globalization;
using System.Text;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Interfaces.Mcp.Server;
using MgbaBridge.Gateway.Operations.Guests;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>What <c>mgba-bridge run</c> prints when requests are answered: the addresses. It opens the page where somebody looks at a desktop.</summary>
internal sealed class RunAnnouncement(IServer server, Supervisor supervisor, SymbolsBesideRoms symbols, DataFolder data, GuestStore guests, HttpOptions http, IConfiguration configuration, IServiceProvider services) : HostedLifecycle
{
    /// <summary>The configuration key that turns it on.</summary>
    public const string Key = "Run:Announce";

    /// <summary>The configuration key with the role of the link that it gives to guests; without it there is none.</summary>
    public const string ShareKey = "Run:Share";

    private const string ShareName = "run --share";

    /// <summary>Its value to open a browser as well.</summary>
    public const string WithBrowser = "browser";

    /// <summary>Its value to write one line of JSON instead of the text.</summary>
    public const string AsJson = "json";

    /// <summary>Adds it if the configuration says so.</summary>
    public static void AddTo(WebApplicationBuilder builder)
    {
        if (!string.IsNullOrEmpty(builder.Configuration[Key]))
        {
            builder.Services.AddHostedService<RunAnnouncement>();
        }
    }

    /// <summary>Whether the program chooses its port: <c>run</c> or <c>mcp</c> started it, and no setting names a port, not even the default one.</summary>
    public static bool ChoosesPort(IConfiguration configuration) =>
        !(string.IsNullOrEmpty(configuration[Key]) && string.IsNullOrEmpty(configuration[StdioHost.Key]))
        && string.IsNullOrEmpty(configuration[$"{BridgeOptions.Section}:{nameof(BridgeOptions.HttpPort)}"]);

    /// <summary>An address as a browser can open it: one of all interfaces cannot be opened on every system.</summary>
    public static string Local(string address) => address.Replace("://0.0.0.0:", "://127.0.0.1:", StringComparison.Ordinal).Replace("://[::]:", "://localhost:", StringComparison.Ordinal);

    public override async Task StartedAsync(CancellationToken cancellationToken)
    {
        var address = server.Features.Get<IServerAddressesFeature>()?.Addresses.FirstOrDefault() ?? "";
        var note = services.GetService<FirstFreePort>()?.Note;
        var share = Share(address);
        if (IsJson)
        {
            await Console.Out.WriteLineAsync(ReportFor(address, note, share.Link).ToJson());
        }
        else
        {
            await Console.Out.WriteLineAsync(note is null ? TextFor(address, share) : $"{note}{Environment.NewLine}{TextFor(address, share)}");
        }

        if (configuration[Key] == WithBrowser && IsDesktop())
        {
            OpenBrowser(PageFor(address));
        }
    }

    public override Task StoppedAsync(CancellationToken cancellationToken) => IsJson ? Task.CompletedTask : Console.Out.WriteLineAsync("Ended.");

    private bool IsJson => configuration[Key] == AsJson;

    private RunReport ReportFor(string address, string? note, string? share) => new(
        address, PageFor(address), Uri.TryCreate(Local(address), UriKind.Absolute, out var url) ? url.Port : 0, Environment.ProcessId, data.Path,
        [.. supervisor.All.Select(emulator => new RunEmulator(
            emulator.Client.Id, emulator.Request.Rom, emulator.Status.ProcessId, emulator.Port, emulator.Request.Options.Window, emulator.Status.NextStep, emulator.Continued?.Name, emulator.Continued?.SaveWrittenAt,
            symbols.FileOf(emulator), emulator.Request.Options.Patch, emulator.Request.Options.Cheats))],
        note,
        share);

    private bool IsShared => configuration[ShareKey] is not null;

    private string PageFor(string address) => IsShared ? GuestLink.Of(Local(address), http.Token!) : $"{Local(address)}/";

    private (string? Link, string? Problem) Share(string address) => configuration[ShareKey] is { } role
        ? Share(guests, Roles.ByName[role], GuestLink.AddressOf([address], GuestLink.LocalAddress())) : default;

    /// <summary>The link for guests at an address, or why there is none. It replaces that of an earlier run, which nobody can print again.</summary>
    internal static (string? Link, string? Problem) Share(GuestStore guests, Role role, string? address)
    {
        if (address is null)
        {
            return (null, "This machine has no address in a local network: connect it to one, and start again.");
        }

        try
        {
            guests.End(static guest => guest.Name == ShareName);
            return guests.Add(ShareName, role, GuestStore.DefaultLifetime) is var (_, token) ? (GuestLink.Of(address, token), null)
                : (null, $"There are {GuestStore.Max} guests, the most that are allowed: end the link of one, and invite another (mgba-bridge guests).");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return (null, $"The link cannot be kept (Http:KeepGuests): {exception.Message}");
        }
    }

    private string TextFor(string address, (string? Link, string? Problem) share)
    {
        var text = new StringBuilder().AppendLine("mGBA-bridge is ready.").AppendLine()
            .AppendLine(CultureInfo.InvariantCulture, $"  HTTP     {address}").AppendLine(CultureInfo.InvariantCulture, $"  page     {PageFor(address)}");
        foreach (var emulator in supervisor.All)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"  game     {emulator.Request.Rom} (emulator {emulator.Client.Id}, script 127.0.0.1:{emulator.Port})");
            if (symbols.FileOf(emulator) is { } file)
            {
                text.AppendLine(CultureInfo.InvariantCulture, $"           with the symbols of {file}");
            }

            foreach (var beside in emulator.Request.Beside)
            {
                text.AppendLine(CultureInfo.InvariantCulture, $"           with {beside}, which is beside the ROM; --no-auto leaves it out");
            }

            if (emulator.Continued is { } continued)
            {
                text.AppendLine(CultureInfo.InvariantCulture, $"           continues from its state of {Local(continued.SavedAt)}, since its last run did not end in order; --fresh starts from its save file");
                text.Append(continued.SaveWrittenAt is { } written
                    ? string.Create(CultureInfo.InvariantCulture, $"           with the save that was written after that, at {Local(written)}{Environment.NewLine}") : "");
            }

            if (emulator.Status.NextStep is { } step)
            {
                text.AppendLine(CultureInfo.InvariantCulture, $"           {step}");
            }
        }

        if (IsShared)
        {
            AddShare(text, share);
        }

        var url = Local(address) == ServiceRegistration.DefaultUrl(new BridgeOptions()) ? "" : $" --url {Local(address)}";
        var token = string.IsNullOrEmpty(http.Token) ? "" : !IsShared ? " --token \"$Bridge__Http__Token\"" : $" --token {http.Token}";
        text.AppendLine(CultureInfo.InvariantCulture, $"  data     {data.Path}").AppendLine()
            .AppendLine(CultureInfo.InvariantCulture, $"Try:       {TypedProgram.Name}{url}{token} screenshot game.png");
        return text.Append("End:       Ctrl-C saves the games and ends everything").ToString();
    }

    private static void AddShare(StringBuilder text, (string? Link, string? Problem) share) => text.AppendLine(share.Link is not { } url
        ? $"  share    {share.Problem}"
        : Console.IsOutputRedirected ? $"  share    {url}" : string.Join(Environment.NewLine, [$"  share    {url}", "", .. GuestLink.QrCode(url), ""]));

    private static string Local(DateTimeOffset time) => time.ToLocalTime().ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture);

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
