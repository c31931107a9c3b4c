using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary><c>play</c>: presses the keys that a file lists.</summary>
internal static class PlayVerb
{
    // steps of one request
    private const int MaxSteps = 512;

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("play", "Press the keys that a file lists", command =>
    {
        command.Description = "Press the keys that a file lists: steps such as `A 4`, `wait 10` or `Up+B 2`, separated by commas or line breaks; # starts a comment. "
            + "Ends when the last key is up. Recordings are played by `replay`.";
        var file = new Argument<string>("file") { Description = "The file; - is standard input" };
        var gap = new Option<int?>("--gap") { HelpName = "FRAMES", Description = "How many frames up before the same key may go down again" };
        command.Add(file);
        command.Add(gap);
        GatewayClient.AddOptionsTo(command);
        command.SetAction(async (result, cancelled) =>
        {
            var steps = Steps(Encoding.UTF8.GetString(await VerbFiles.ReadAsync(result.GetValue(file)!, cancelled)), result.GetValue(file)!);
            using var client = new GatewayClient(result);
            var display = new Display(result);
            for (var start = 0; start < steps.Length; start += MaxSteps)
            {
                var body = new JsonObject { ["sequence"] = string.Join(", ", steps.Skip(start).Take(MaxSteps)), ["wait"] = true };
                if (result.GetResult(gap) is not null)
                {
                    body["gap"] = result.GetValue(gap);
                }

                using var content = new StringContent(body.ToJsonString(), Encoding.UTF8, "application/json");
                using var response = await client.SendAsync(HttpMethods.Post, "/v2/keys/sequence", content);
                var answer = await client.ReadJsonAsync(response);
                if (start + MaxSteps >= steps.Length)
                {
                    display.Value(answer);
                }
            }
        });
    });

    /// <summary>The steps in a text.</summary>
    private static string[] Steps(string text, string file)
    {
        var lines = text.Split('\n');
        var steps = new List<string>();
        for (var line = 0; line < lines.Length; line++)
        {
            foreach (var step in lines[line].Split('#')[0].Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
            {
                if (step.Split(' ', StringSplitOptions.RemoveEmptyEntries) is not [_, var frames] || !int.TryParse(frames, NumberStyles.None, CultureInfo.InvariantCulture, out _))
                {
                    throw VerbException.WrongUsage(step.StartsWith('{')
                        ? $"{file} is a recording; play it with mgba-bridge replay."
                        : $"{file}, line {line + 1}: \"{Display.Plain(step)}\" is not a step; expected keys and frames, such as A 4, wait 10 or Up+B 2.");
                }

                steps.Add(step);
            }
        }

        return steps.Count > 0 ? [.. steps] : throw VerbException.WrongUsage($"{file} has no steps; expected keys and frames, such as A 4, wait 10 or Up+B 2.");
    }
}
