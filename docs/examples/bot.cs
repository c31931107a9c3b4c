#:property PublishAot=false
// Plays the test game: see README.md.
using System.Net.Http.Json;
using System.Text.Json;

const string Score = "0x02000094"; // goes up by 17 with each press of A
string[] keys = ["A"];

using var http = new HttpClient { BaseAddress = new Uri(Environment.GetEnvironmentVariable("BASE_URL") ?? "http://127.0.0.1:5000") };

try
{
    // the game writes MBT1 when it has started
    var started = await PostAsync("/v2/wait", new { all = new[] { new { location = "0x02000000", type = "u32", value = 827605581 } }, frames = 600 });
    Must(started.GetProperty("met").GetBoolean(), "This is not our test game.");

    var before = await ScoreAsync();
    var state = await http.GetByteArrayAsync(new Uri("/v2/state", UriKind.Relative));
    for (var press = 0; press < 5; press++)
    {
        // with wait the answer comes when the key is up again
        await PostAsync("/v2/keys/tap", new { keys, frames = 2, wait = true });
    }

    var after = await ScoreAsync();
    Must(after - before == 85, $"The score went from {before} to {after}.");

    var picture = await http.GetByteArrayAsync(new Uri("/v2/screen", UriKind.Relative));
    Must(picture.AsSpan(1, 3).SequenceEqual("PNG"u8), "The picture is not a PNG.");

    using var bytes = new ByteArrayContent(state);
    await AnswerAsync(await http.PutAsync(new Uri("/v2/state", UriKind.Relative), bytes));
    Must(await ScoreAsync() == before, "The state did not bring the score back.");
    Console.WriteLine($"Five presses took the score from {before} to {after}, and the state took it back.");
    return 0;
}
catch (InvalidOperationException exception)
{
    Console.Error.WriteLine(exception.Message);
    return 1;
}

async Task<long> ScoreAsync() => (await AnswerAsync(await http.GetAsync(new Uri($"/v2/memory/{Score}/u32", UriKind.Relative)))).GetProperty("value").GetInt64();

async Task<JsonElement> PostAsync<T>(string path, T body)
{
    using var request = new HttpRequestMessage(HttpMethod.Post, path) { Content = JsonContent.Create(body) };
    // a key of its own makes it safe to send the request again
    request.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());
    return await AnswerAsync(await http.SendAsync(request));
}

// a failure says in one sentence what went wrong and what to do about it
static async Task<JsonElement> AnswerAsync(HttpResponseMessage response)
{
    using (response)
    {
        var answer = await response.Content.ReadFromJsonAsync<JsonElement>();
        Must(response.IsSuccessStatusCode, response.IsSuccessStatusCode ? "" : answer.GetProperty("detail").GetString()!);
        return answer;
    }
}

static void Must(bool holds, string sentence)
{
    if (!holds)
    {
        throw new InvalidOperationException(sentence);
    }
}
