namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>One way to echo datagrams.</summary>
internal sealed record DatagramRow(string Model, int Bytes, double Rate, double AllocatedEach, double Cpu, long Lost);
