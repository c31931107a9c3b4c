#:package MgbaBridge.Http@*
#:property PublishAot=false
// Collects coins in the demo game and lights the lamp, in exact frames: see README.md.
using MgbaBridge.Http;

const string Route = """
    Start:2 92,108 52,116 92,112 156,112 156,138 156,96 188,90 188,48 150,48 188,48 188,90 Right:60
    36,88 36,76 36,88 124,88 128,72 Right:2 A:2 124,88 104,100 104,124 118,104 120,88 Up:90 120,112 Up:12 Up:40 Up:12 A:2
    """;

await using var game = new Gateway();
await game.StepAsync(60, "");
foreach (var place in Route.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries))
{
    if (place.Split(':') is [var key, var frames])
    {
        await game.StepAsync(int.Parse(frames), key);
        await game.StepAsync(60, ""); // a screen comes up, or somebody begins to talk
    }
    else if (place.Split(',') is [var x, var y])
    {
        await GoAsync("y", int.Parse(y), "Up", "Down");
        await GoAsync("x", int.Parse(x), "Left", "Right");
    }

    while (await game.ReadAsync("mode") is 3 or 4)
    {
        await game.StepAsync(2, "A"); // turn the page, and say yes
        await game.StepAsync(2, "");
    }
}

Console.WriteLine($"{await game.ReadAsync("coins")} coins, milestone {await game.ReadAsync("milestone")}");

// three pixels in two frames
async Task GoAsync(string axis, int target, string back, string forth)
{
    while (target - (int)await game.ReadAsync(axis) is var distance && Math.Abs(distance) > 1)
    {
        await game.StepAsync((Math.Abs(distance) * 2 + 1) / 3, distance > 0 ? forth : back);
    }
}
