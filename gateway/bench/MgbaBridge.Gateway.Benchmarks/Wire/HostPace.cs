namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>How the game ran during a row.</summary>
/// <param name="Fps">Frames a second over all of it.</param>
/// <param name="Windows">Frames a second of each window of five seconds.</param>
/// <param name="Seconds">How long it was watched.</param>
/// <param name="Late">Frames that began more than a quarter of a period late.</param>
/// <param name="Lost">Frames that the host gave up because it was more than a quarter of a second behind.</param>
internal sealed record HostPace(double Fps, IReadOnlyList<double> Windows, double Seconds, long Late, long Lost)
{
    public static HostPace Of(IReadOnlyList<HostLine> lines)
    {
        if (lines.Count < 2)
        {
            return new HostPace(0, [], 0, 0, 0);
        }
        var windows = lines.Zip(lines.Skip(1), Rate).ToList();
        return new HostPace(Rate(lines[0], lines[^1]), windows, lines[^1].Seconds - lines[0].Seconds, lines[^1].Late - lines[0].Late, lines[^1].Lost - lines[0].Lost);
    }

    private static double Rate(HostLine from, HostLine to) => (to.Frames - from.Frames) / Math.Max(0.001, to.Seconds - from.Seconds);
}
