using System.Buffers;
using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Operations.Fleet;
using MgbaBridge.Gateway.Operations.Status;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>status</c> and <c>emulators</c>: what runs.</summary>
internal static class StatusVerbs
{
    private static readonly string[] Columns = ["id", "state", "title", "platform", "mgba", "host", "script", "port", "connections", "detail"];

    /// <summary>Adds them.</summary>
    public static void AddTo(VerbTree tree)
    {
        tree.Add("status", "How the emulator is", command => Complete(command, isPerEmulator: true, StatusOperations.Get.Path, JsonValueKind.Object, static (display, status) => display.Value(status)));
        tree.Add("emulators", "All emulators, and how each is", command => Complete(command, isPerEmulator: false, StatusOperations.Emulators.Path, JsonValueKind.Array, static (display, list) =>
        {
            if (display.IsJson)
            {
                display.Value(list);
            }
            else
            {
                display.Table(Columns, [.. list.EnumerateArray().Select(row => Columns.Select(name => row.TryGetProperty(name, out var cell) ? Display.Scalar(cell) : "").ToArray())]);
            }
        }));
    }

    private static void Complete(Command command, bool isPerEmulator, string path, JsonValueKind kind, Action<Display, JsonElement> show) =>
        Watching.Complete(command, isPerEmulator, async client =>
        {
            var status = await client.GetJsonAsync(path, kind);
            return new Observation(status.GetRawText(), (display, _) => show(display, status));
        });
}

/// <summary>What was read at one time.</summary>
/// <param name="Text">Equal texts are shown once.</param>
/// <param name="Show">Shows it; the second argument says whether something was shown before.</param>
internal sealed record Observation(string Text, Action<Display, bool> Show);

/// <summary>Verbs that show something once, or with <c>--watch</c> each change of it.</summary>
internal static class Watching
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    /// <summary>Completes such a verb.</summary>
    public static void Complete(Command command, bool isPerEmulator, Func<GatewayClient, Task<Observation>> observe)
    {
        var watch = new Option<bool>("--watch") { Description = "Show changes until Ctrl-C" };
        GatewayClient.AddOptionsTo(command, isPerEmulator);
        command.Add(watch);
        command.SetAction(async (result, cancelled) =>
        {
            using var client = new GatewayClient(result);
            var display = new Display(result);
            for (var shown = ""; ;)
            {
                var found = await observe(client);
                if (found.Text != shown)
                {
                    found.Show(display, shown.Length > 0);
                    shown = found.Text;
                }

                if (!result.GetValue(watch))
                {
                    return;
                }

                await Task.Delay(Interval, cancelled);
            }
        });
    }
}

/// <summary><c>fleet status</c>: the fleet in numbers, its hosts, and why sessions wait.</summary>
internal static class FleetVerb
{
    private const int ShownWaiting = 10;
    private const string Gone = "gone";

    private static readonly string[] HostColumns = ["host", "state", "sessions", "lease", "version", "job", "id"];
    private static readonly string[] SessionFields = ["id", "owner", "rom", "failures", "detail"];
    private static readonly string[] SessionColumns = ["session", "owner", "rom", "failures", "waits for"];

    // they change with time, and are no reason to write all again
    private static readonly string[] Restless = ["leaseSeconds", "stateSeconds", "stateSession"];

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add(
        "fleet status", "The fleet in numbers, its hosts, and sessions that wait", command => Watching.Complete(command, isPerEmulator: false, ObserveAsync));

    private static async Task<Observation> ObserveAsync(GatewayClient client)
    {
        var status = await client.GetJsonAsync(FleetOperations.Status.Path, JsonValueKind.Object);
        JsonElement[] hosts = [.. (await ListAsync(client, FleetOperations.Hosts.Path, "hosts")).Where(host => Text(host, "state") != Gone)];
        var waiting = await ListAsync(client, $"{FleetOperations.List.Path}?state=pending&limit={ShownWaiting}", "sessions");
        return new Observation(Compose(status, hosts, waiting, Restless), (display, isNext) => Show(display, status, hosts, waiting, isNext));
    }

    private static async Task<JsonElement[]> ListAsync(GatewayClient client, string path, string name) =>
        (await client.GetJsonAsync(path, JsonValueKind.Object)).TryGetProperty(name, out var list) && GatewayClient.IsListOfObjects(list)
            ? [.. list.EnumerateArray()]
            : throw client.NotAGateway($"the response to {path} has no list \"{name}\"");

    private static void Show(Display display, JsonElement status, JsonElement[] hosts, JsonElement[] waiting, bool isNext)
    {
        if (display.IsJson)
        {
            display.Line(Compose(status, hosts, waiting, []));
            return;
        }

        if (isNext)
        {
            display.Line("");
        }

        display.Line($"fleet {Text(status, "fleet")}: {Text(status, "running")} running, {Text(status, "placed")} starting, {Text(status, "pending")} waiting, {Text(status, "deleting")} ending; "
            + $"{Text(status, "hosts")} hosts ready for {Text(status, "capacity")} emulators");
        if (Text(status, "stateSession") is { Length: > 0 } session)
        {
            display.Line(string.Create(CultureInfo.InvariantCulture, $"newest states: at most {Number(status, "stateSeconds"):0} s old (session {session}) {Text(status, "stateProblem")}").TrimEnd());
        }

        if (Text(status, "engineProblem") is { Length: > 0 } problem)
        {
            display.Line(problem);
        }

        if (hosts.Length > 0)
        {
            display.Table(HostColumns, [.. hosts.Select(HostRow)]);
        }

        if (waiting.Length > 0)
        {
            display.Table(SessionColumns, [.. waiting.Select(session => SessionFields.Select(name => Text(session, name)).ToArray())]);
        }
    }

    private static string[] HostRow(JsonElement host)
    {
        var lease = Number(host, "leaseSeconds");
        return
        [
            Text(host, "name"), Text(host, "state"), $"{Text(host, "sessions")}/{Text(host, "capacity")}",
            lease > 0 ? string.Create(CultureInfo.InvariantCulture, $"{lease:0} s") : "ended", Text(host, "version"), Text(host, "job"), Text(host, "id"),
        ];
    }

    /// <summary>The response of <c>GET /v2/fleet</c>, with the hosts that are not gone and the first sessions that wait.</summary>
    private static string Compose(JsonElement status, JsonElement[] hosts, JsonElement[] waiting, string[] without)
    {
        var text = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(text))
        {
            writer.WriteStartObject();
            WriteProperties(writer, status, without);
            Write(writer, "hostList", hosts, without);
            Write(writer, "waiting", waiting, without);
            writer.WriteEndObject();
        }

        return Encoding.UTF8.GetString(text.WrittenSpan);
    }

    private static void Write(Utf8JsonWriter writer, string name, JsonElement[] list, string[] without)
    {
        writer.WriteStartArray(name);
        foreach (var item in list)
        {
            writer.WriteStartObject();
            WriteProperties(writer, item, without);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    private static void WriteProperties(Utf8JsonWriter writer, JsonElement parent, string[] without)
    {
        foreach (var property in parent.EnumerateObject().Where(property => !without.Contains(property.Name)))
        {
            property.WriteTo(writer);
        }
    }

    private static double Number(JsonElement parent, string name) =>
        parent.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.Number ? value.GetDouble() : 0;

    private static string Text(JsonElement parent, string name) => parent.TryGetProperty(name, out var value) ? Display.Scalar(value) : "";
}
