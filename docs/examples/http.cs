#:package MgbaBridge.Http@*
#:property PublishAot=false
// Plays the test game with the C# package: see README.md.
using MgbaBridge.Http;

const string Score = "0x02000094"; // goes up by 17 with each press of A

await using var game = new Gateway(Environment.GetEnvironmentVariable("BASE_URL"));

try
{
    // the game writes MBT1 when it has started
    Must(await game.WaitAsync("u32 0x02000000 == 827605581"), "This is not our test game.");

    var before = await game.ReadAsync(Score, "u32");
    var state = await game.SaveAsync();
    for (var press = 0; press < 5; press++)
    {
        await game.PressAsync("A", frames: 2);
    }

    var after = await game.ReadAsync(Score, "u32");
    Must(after - before == 85, $"The score went from {before} to {after}.");

    var picture = await game.ScreenAsync();
    Must(picture.AsSpan(1, 3).SequenceEqual("PNG"u8), "The picture is not a PNG.");

    await game.LoadAsync(state);
    Must(await game.ReadAsync(Score, "u32") == before, "The state did not bring the score back.");
    Console.WriteLine($"Five presses took the score from {before} to {after}, and the state took it back.");
    return 0;
}
catch (Exception exception) when (exception is GatewayException or InvalidOperationException)
{
    // a failure says in one sentence what went wrong and what to do about it
    Console.Error.WriteLine(exception.Message);
    return 1;
}

static void Must(bool holds, string sentence)
{
    if (!holds)
    {
        throw new InvalidOperationException(sentence);
    }
}
