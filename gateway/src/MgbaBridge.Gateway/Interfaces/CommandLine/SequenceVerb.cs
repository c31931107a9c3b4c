using System.CommandLine;
using System.Text;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Keys;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>sequence</c>: presses the keys that a file lists.</summary>
internal static class SequenceVerb
{
    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("sequence", "Press the keys that a file lists", command =>
    {
        command.Description = "Press the keys that a file lists: steps such as `A 4`, `wait 10`, `Up+B 2` or `tilt 10/-5 4`, separated by commas or line breaks; # starts a comment. "
            + "Ends when the last key is up. Recordings are played by `replay`.";
        var file = new Argument<string>("file") { Description = "The file; - is standard input", CompletionSources = { Completions.Files } };
        Field[] options =
        [
            .. new Parameter[] { KeyOperations.Gap, KeyOperations.Waiting.Optional("queue") }.Select(parameter => new Field(parameter, isArgument: false, $"--{parameter.Name}", isLast: false)),
        ];
        command.Add(file);
        Array.ForEach(options, option => option.AddTo(command));
        GatewayClient.AddOptionsTo(command);
        command.SetAction(async (result, cancelled) =>
        {
            var steps = Steps(Encoding.UTF8.GetString(await VerbFiles.ReadAsync(result.GetValue(file)!, cancelled)), result.GetValue(file)!);
            using var client = new GatewayClient(result);
            var display = new Display(result);
            for (var start = 0; start < steps.Length; start += Limits.Steps)
            {
                var body = new JsonObject { [KeyOperations.Text.Name] = new KeySequence([.. steps.Skip(start).Take(Limits.Steps)]).ToString(), [KeyOperations.Wait.Name] = true };
                foreach (var option in options)
                {
                    if (option.Value(result) is { } value)
                    {
                        body[option.Name] = value;
                    }
                }

                var answer = await client.SendJsonAsync(KeyOperations.Sequence.Method, KeyOperations.Sequence.Path, body);
                if (start + Limits.Steps >= steps.Length)
                {
                    display.Value(answer);
                }
            }
        });
    });

    /// <summary>The steps in a text.</summary>
    private static KeyStep[] Steps(string text, string file)
    {
        var lines = text.Split('\n');
        var steps = new List<KeyStep>();
        for (var line = 0; line < lines.Length; line++)
        {
            if (KeySequence.Parse(lines[line].Split('#')[0], null, out var found) is { } wrong)
            {
                throw VerbException.WrongUsage(wrong.StartsWith('{')
                    ? $"{file} is a recording; replay it with mgba-bridge replay."
                    : $"{file}, line {line + 1}: \"{Display.Plain(wrong)}\" is not a step; expected keys and frames, such as A 4, wait 10 or Up+B 2.");
            }

            steps.AddRange(found.Steps);
        }

        return steps.Count > 0 ? [.. steps] : throw VerbException.WrongUsage($"{file} has no steps; expected keys and frames, such as A 4, wait 10 or Up+B 2.");
    }
}
