using System.CommandLine;
using System.Text.Json;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary><c>status</c> and <c>emulators</c>: what runs.</summary>
internal static class StatusVerbs
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private static readonly string[] Columns = ["id", "state", "title", "platform", "mgba", "host", "script", "port", "connections", "detail"];

    /// <summary>Adds them.</summary>
    public static void AddTo(VerbTree tree)
    {
        tree.Add("status", "How the emulator is", command => Complete(command, isPerEmulator: true, "/v2/status", static (display, status) => display.Value(status)));
        tree.Add("emulators", "All emulators, and how each is", command => Complete(command, isPerEmulator: false, "/v2/emulators", static (display, list) =>
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

    private static void Complete(Command command, bool isPerEmulator, string path, Action<Display, JsonElement> show)
    {
        var watch = new Option<bool>("--watch") { Description = "Show changes until Ctrl-C" };
        GatewayClient.AddOptionsTo(command, isPerEmulator);
        command.Add(watch);
        command.SetAction(async (result, cancelled) =>
        {
            using var client = new GatewayClient(result);
            var display = new Display(result);
            var last = "";
            do
            {
                var status = await client.GetJsonAsync(path);
                if (status.GetRawText() != last)
                {
                    last = status.GetRawText();
                    show(display, status);
                }

                await Task.Delay(result.GetValue(watch) ? Interval : TimeSpan.Zero, cancelled);
            }
            while (result.GetValue(watch));
        });
    }
}
