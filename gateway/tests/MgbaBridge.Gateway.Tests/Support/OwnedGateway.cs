using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Engines.Supervision;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>A gateway that starts emulators of its own, with a folder for ROMs and one for its data.</summary>
internal sealed class OwnedGateway : IAsyncDisposable
{
    public const string Program = "headless/build/mgba-headless";

    private readonly DirectoryInfo _folder;

    private OwnedGateway(DirectoryInfo folder, GatewayHost host) => (_folder, Host) = (folder, host);

    public GatewayHost Host { get; }

    public HttpClient Client => Host.Client;

    public string Folder => _folder.FullName;

    public string Roms => Path.Combine(Folder, "roms");

    public string Data => Path.Combine(Folder, "data", "1");

    public Supervisor Supervisor => Host.Services.GetRequiredService<Supervisor>();

    /// <summary>Starts the gateway; with <paramref name="emulators"/> of the test ROM, numbered from 1.</summary>
    public static Task<OwnedGateway> StartAsync(int emulators, params (string Key, string Value)[] settings) => StartAsync(Prepare(), emulators, settings);

    /// <summary>As above, in a folder that <see cref="Prepare"/> made.</summary>
    public static Task<OwnedGateway> StartAsync(DirectoryInfo folder, int emulators, params (string Key, string Value)[] settings) => StartAsync(folder, emulators, null, settings);

    /// <summary>As above, with other services, or with values that are no settings.</summary>
    public static async Task<OwnedGateway> StartAsync(DirectoryInfo folder, int emulators, Action<IServiceCollection>? change, params (string Key, string Value)[] settings)
    {
        // the host starts synchronously, and would wait for its emulators on the thread of the sockets if the caller was continued there
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        var rom = Path.Combine(folder.FullName, "roms", "test.gba");
        var gateway = new OwnedGateway(folder, GatewayHost.StartWithoutPort(
            change,
        [
            ("Owned:DataFolder", Path.Combine(folder.FullName, "data")),
            ("Owned:RomFolders:0", Path.Combine(folder.FullName, "roms")),
            .. Enumerable.Range(0, emulators).Select(index => (string.Create(CultureInfo.InvariantCulture, $"Owned:Roms:{index}"), rom)),
            .. settings,
        ]));
        for (var emulator = 1; emulator <= emulators; emulator++)
        {
            // the game counts frames when it has cleared its memory, which tests write to
            await Eventually.IsAsync(async () => (await gateway.GetAsync($"/i/{emulator}/v2/memory/0x02000008/u32")).GetProperty("value").GetInt64() > 0);
        }

        return gateway;
    }

    /// <summary>A folder with the test ROM.</summary>
    public static DirectoryInfo Prepare()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-owned-");
        File.Copy(Repository.File("headless/roms/mgba-bridge-test.gba"), Path.Combine(folder.CreateSubdirectory("roms").FullName, "test.gba"));
        File.Copy(Repository.File("headless/roms/mgba-bridge-test.gb"), Path.Combine(folder.FullName, "roms", "test.gb"));
        return folder;
    }

    public async Task<JsonElement> SendAsync(HttpMethod method, string path, string? json = null, HttpStatusCode status = HttpStatusCode.OK)
    {
        using var request = new HttpRequestMessage(method, path) { Content = json is null ? null : new StringContent(json, Encoding.UTF8, "application/json") };
        using var response = await Client.SendAsync(request, TestContext.Current.CancellationToken);
        var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        Assert.True(status == response.StatusCode, $"{method} {path}: {response.StatusCode} {text}");
        return JsonDocument.Parse(text).RootElement;
    }

    public Task<JsonElement> GetAsync(string path) => SendAsync(HttpMethod.Get, path);

    public async Task<JsonElement> ProcessAsync(string id) => (await GetAsync($"/i/{id}/v2/status")).GetProperty("process");

    public static void Signal(int process, string signal)
    {
        using var kill = Process.Start("kill", [signal, process.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    public static bool IsRunning(int process) => Directory.Exists(string.Create(CultureInfo.InvariantCulture, $"/proc/{process}"));

    /// <summary>The processes of mgba-headless that play a ROM.</summary>
    public static int[] HeadlessOf(string rom)
    {
        using var search = Process.Start(new ProcessStartInfo("pgrep", ["-f", "--", $"headless .*-- {rom}$"]) { RedirectStandardOutput = true })!;
        return [.. search.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => int.Parse(line, CultureInfo.InvariantCulture)).Where(id => id != search.Id)];
    }

    public async ValueTask DisposeAsync()
    {
        await Host.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
