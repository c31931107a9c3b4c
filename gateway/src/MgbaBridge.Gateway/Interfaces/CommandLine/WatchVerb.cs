using System.CommandLine;
using System.CommandLine.Completions;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Http.Streams;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>watch</c>: writes events as they happen.</summary>
internal static class WatchVerb
{
    /// <summary>The media type of events.</summary>
    public const string EventStream = "text/event-stream";

    private static readonly CompletionItem[] Topics = [.. EventTopics.All.SelectMany(static row => row.Examples).Select(static example => new CompletionItem(example.Text))];

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("watch", "Write events as they happen, until Ctrl-C", command =>
    {
        var topics = new Argument<string[]>("topic")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = string.Join(", ", EventTopics.All.Select(static row => row.Examples[^1].Text)),
        };
        topics.CompletionSources.Add(static context => context is TextCompletionContext ? Topics : []);
        var count = new Option<int?>("--count") { HelpName = "NUMBER", Description = "End after this many events" };
        command.Add(topics);
        command.Add(count);
        GatewayClient.AddOptionsTo(command);
        command.SetAction(async (result, cancelled) =>
        {
            var left = result.GetResult(count) is null ? int.MaxValue : result.GetValue(count) ?? int.MaxValue;
            if (left < 1)
            {
                throw VerbException.WrongUsage($"--count is {left}; expected 1 or more.");
            }

            using var client = new GatewayClient(result);
            var display = new Display(result);
            var query = string.Join(',', result.GetValue(topics)!.Select(Uri.EscapeDataString));
            using var response = await client.SendAsync(EventEndpoint.Subscribe.Method, $"{EventEndpoint.Subscribe.Path}?topics={query}", null, [EventStream]);
            using var reader = new StreamReader(await response.Content.ReadAsStreamAsync(cancelled));
            var name = "";
            while (left > 0)
            {
                var line = await client.ReceiveAsync(stopping => reader.ReadLineAsync(stopping).AsTask(), cancelled)
                    ?? throw client.NotReachable(new IOException("it closed the stream of events"));
                if (line.StartsWith("event: ", StringComparison.Ordinal))
                {
                    name = line[7..];
                }
                else if (line.StartsWith("data: ", StringComparison.Ordinal))
                {
                    display.Line(display.IsJson ? line[6..] : $"{Display.Plain(name)}{Text(line[6..], client)}");
                    left--;
                }
            }
        });
    });

    private static string Text(string json, GatewayClient client)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            return string.Concat(document.RootElement.EnumerateObject().Where(property => property.Name != "epoch").Select(property => $" {property.Name}={Display.Scalar(property.Value)}"));
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            throw client.NotAGateway("an event is not a JSON object");
        }
    }
}
